#include "accountants/lattice/lattice_split.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "accountants/lattice/common_lattice.hpp"
#include "accountants/plan/atom_lists.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_split = 64;
constexpr double planning_nats = 40;  ///< about 12 digits

using Terms = std::vector<ComposedLoss::Term>;

class Splitter {
 public:
  Splitter(const Terms& terms, const std::vector<AtomFactor>& atoms) : terms_(terms) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      laws_.push_back(terms[i].loss->lattice());
      sums_.push_back(
          estimate_combinations(atoms[i], planning_nats, static_cast<std::size_t>(most_sums)));
    }
  }

  /// Rational meshes together, those with the most sums first; or one lattice that is not rational.
  void split(std::optional<LatticeSplit>& best, Direction direction) {
    std::vector<std::size_t> order(terms_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sums_[a] > sums_[b]; });
    std::vector<std::size_t> rational;
    for (const std::size_t i : order) {
      if (!laws_[i] || !(laws_[i]->exact_mesh || laws_[i]->masses.size() == 1)) continue;
      rational.push_back(i);
      if (!on_common_lattice(terms_of(rational))) rational.pop_back();
    }
    take(best, rational, direction);
    for (const std::size_t i : order) {
      if (laws_[i] && !laws_[i]->exact_mesh) take(best, {i}, direction);
    }
  }

 private:
  Terms terms_of(const std::vector<std::size_t>& list) const {
    Terms result;
    for (const std::size_t i : list) result.push_back(terms_[i]);
    return result;
  }

  void take(std::optional<LatticeSplit>& best, const std::vector<std::size_t>& on_lattice,
            Direction direction) const {
    if (on_lattice.empty() || on_lattice.size() == terms_.size()) return;
    double sums = 1;
    Terms beside;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (std::find(on_lattice.begin(), on_lattice.end(), i) != on_lattice.end()) continue;
      sums *= sums_[i];
      beside.push_back(terms_[i]);
    }
    if (!(sums <= (best ? best->sums : most_sums))) return;
    best.emplace(LatticeSplit{ComposedLoss(terms_of(on_lattice), direction),
                              ComposedLoss(std::move(beside), direction), sums});
  }

  const Terms& terms_;
  std::vector<std::shared_ptr<const LatticeLaw>> laws_;
  std::vector<double> sums_;
};

}  // namespace

std::optional<LatticeSplit> lattice_split(const ComposedLoss& loss) {
  if (loss.terms().size() < 2) return std::nullopt;
  const PrecisionScope scope(bits_of_split);
  try {
    const std::optional<AtomLists> atoms = atom_lists(loss, 0, planning_nats);
    if (!atoms || on_common_lattice(loss.terms())) return std::nullopt;
    std::optional<LatticeSplit> best;
    Splitter(loss.terms(), atoms->factors).split(best, loss.direction());
    return best;
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

}  // namespace plaudit
