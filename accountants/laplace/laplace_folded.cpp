// Laplace noise of one scale or several, and lattice laws beside it: the straight contour folded
// into one period of all atoms, at a cost that does not depend on the numbers of steps.
//
// Theorem: docs/proofs/laplace.md#folded-product; the evaluation is in periodic_line.hpp, the
// search for a line and for epsilon in folded_curve.hpp.
#include <cmath>

#include "accountants/laplace/periodic_line.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {

/// Fewer steps of several scales are for the exact sum.
constexpr double many_steps = 150;

Side side_of_support(const ComposedLoss& loss, const Rational& epsilon) {
  const auto end = loss.exact_greatest_loss();
  return end && epsilon >= *end ? Side::above : Side::inside;
}

FoldedMethod periodic_method(const ComposedLoss& composition) {
  return {"laplace_folded",
          [law = *periodic_law(composition)](const ComposedLoss& loss, CumulantTable& table,
                                             const LineAim& aim) -> std::unique_ptr<CurveLine> {
            const PeriodicChoice choice = choose_periodic(loss, law, table, aim);
            if (!std::isfinite(choice.seconds)) return nullptr;
            return std::make_unique<PeriodicLine>(loss, law, table, choice);
          },
          [composition](const Rational& epsilon) { return side_of_support(composition, epsilon); }};
}

class LaplaceFolded final : public Accountant {
 public:
  std::string_view name() const override { return "laplace_folded"; }
  std::string_view summary() const override {
    return "Laplace noise of one scale or several, beside laws on rational lattices: a contour "
           "folded into one period of all atoms; any numbers of steps";
  }
  std::string_view theorem() const override { return "docs/proofs/laplace.md#folded-product"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (periodic_law(loss)) return std::nullopt;
    return "laplace_folded needs laplace mechanisms, and beside them only laws on rational "
           "lattices without a mass at infinity";
  }
  Offer offer(const ComposedLoss& loss) const override {
    const auto law = periodic_law(loss);
    if (!law) return {};
    const bool one_scale = law->noises.size() == 1 && law->others.empty();
    return {.cost =
                one_scale || loss.steps() >= many_steps ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return folded_curve(loss, goal, periodic_method(loss));
  }
};

}  // namespace

std::shared_ptr<const Accountant> laplace_folded_accountant();
std::shared_ptr<const Accountant> laplace_folded_accountant() {
  return std::make_shared<LaplaceFolded>();
}

}  // namespace plaudit
