// Laws of few sums beside laws on one lattice: delta(eps) = sum_j p_j delta_lattice(eps - s_j).
//
// The sums s_j of the former, with their exact masses p_j, are listed
// (accountants/proof/kinds/atoms.hpp); for all of them together the folded contour of the latter is
// summed once (accountants/lattice/lattice_composition.hpp). Errors: those of the folded contour,
// and the moment of the sums that were left out.
// Proof: docs/proofs/lattice.md#shifted, docs/proofs/lattice.md#folding
#include <stdexcept>

#include "accountants/accountant.hpp"
#include "accountants/lattice/lattice_curve.hpp"
#include "accountants/lattice/lattice_split.hpp"

namespace plaudit {

namespace {

constexpr double few_sums = 1 << 14;  ///< a second or less

class LatticeAtoms final : public Accountant {
 public:
  std::string_view name() const override { return "lattice_atoms"; }
  std::string_view summary() const override {
    return "laws without a continuous part, some of few sums, the others on one lattice: exactly";
  }
  std::string_view theorem() const override {
    return "docs/proofs/lattice.md#shifted, docs/proofs/lattice.md#folding";
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (lattice_split(loss)) return std::nullopt;
    return "lattice_atoms needs losses without a continuous part, some of few sums and all others "
           "on one lattice";
  }
  Offer offer(const ComposedLoss& loss) const override {
    const auto split = lattice_split(loss);
    const bool quick = split && split->sums <= few_sums;
    return {
        .cost = quick ? Offer::Cost::small : Offer::Cost::usual, .announced = true, .seldom = true};
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    const auto split = lattice_split(loss);
    if (!split) throw std::invalid_argument(*refusal(loss));
    return lattice_curve(loss, *split, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> lattice_atoms_accountant();
std::shared_ptr<const Accountant> lattice_atoms_accountant() {
  return std::make_shared<LatticeAtoms>();
}

}  // namespace plaudit
