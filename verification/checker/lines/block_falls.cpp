#include "verification/checker/lines/block_falls.hpp"

#include <utility>

#include "verification/checker/laws/discrete_noise.hpp"
#include "verification/checker/lines/fixed_sums.hpp"

namespace plaudit::proof {

FallSteps::FallSteps(Interval step, Interval power)
    : size(std::move(step)), count(std::move(power)) {
  const Interval each = size / count;
  levels.reserve(most);
  for (int r = 1; r <= most; ++r) levels.push_back(exp(-r * each));
}

int fall_of(const Interval& log_most, const Interval& log_bound, const FallSteps& steps) {
  const Rational found = lower(steps.count * (log_most - log_bound) / steps.size);
  if (found <= 0) return 0;
  return found >= FallSteps::most ? FallSteps::most : static_cast<int>(to_long(floor_of(found)));
}

// Each step is off by at most 3 units per atom (2 by rounding down, 2 w_j/whole by its base), so
// after b steps all are off by at most 3 (K + 1) (b + 1).
void add_falls_of_atoms(const Atoms& atoms, const Interval& whole, const Interval& away,
                        const Interval& h, const Blocks& blocks, const FallSteps& steps,
                        std::vector<int>& falls, Budget& budget) {
  const Interval start = scaled(twice_middle(blocks, 0) * h, -1);
  const Interval step = blocks.length * h;
  FixedSums sums;
  for (std::size_t j = 0; j < atoms.losses.size(); ++j) {
    sums.add(atoms.weights[j] / whole * turned(start * atoms.losses[j]),
             turned(step * atoms.losses[j]));
  }
  // |sum| + away <= whole e^{-r g/n}
  std::vector<std::int64_t> thresholds;
  const Interval others = away / whole;
  const long inexact = 3 * (static_cast<long>(atoms.losses.size()) + 1) * (blocks.count + 1);
  for (const Interval& level : steps.levels) {
    const Interval room = level - others;
    const Integer units = floor_of(lower(scaled(room, FixedSums::bits))) - inexact;
    if (units <= 0) break;
    thresholds.push_back(to_long(units));
  }
  for (std::size_t b = 0; b < falls.size(); ++b) {
    if ((b & 4095) == 0) budget.spend(0);
    falls[b] += sums.below(thresholds);
    sums.advance();
  }
}

}  // namespace plaudit::proof
