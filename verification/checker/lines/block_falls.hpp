// Blocks of consecutive nodes, and how far |M| has fallen in each, in whole numbers of steps.
// Claim: docs/certificates/straight.md#group
#pragma once

#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/lines/lines.hpp"

namespace plaudit::proof {

/// Blocks of consecutive indices: first + b length .. first + (b+1) length - 1, b < count.
struct Blocks {
  long first;
  long length;
  long count;
};

/// h/2 times this is the middle of the heights of the block.
inline long twice_middle(const Blocks& blocks, long b) {
  return 2 * (blocks.first + b * blocks.length) + blocks.length - 1;
}

/// How far many blocks have fallen, in steps: n log |M| <= n log M(t) - r g, 0 <= r <= most.
struct FallSteps {
  static constexpr int most = 512;  ///< farther falls count as this one: a larger bound
  FallSteps(Interval step, Interval power);

  Interval size;                 ///< g
  Interval count;                ///< n
  std::vector<Interval> levels;  ///< e^{-r g/n}, r = 1 .. most
};

/// The greatest r <= most with n log_bound <= n log_most - r g for all members of the enclosures.
int fall_of(const Interval& log_most, const Interval& log_bound, const FallSteps& steps);

/// Adds those of a law with atoms, in each block at all heights.
/// @param whole an upper bound of M(t). @param away what |M| may be more than at the middle of its
///   block.
void add_falls_of_atoms(const Atoms& atoms, const Interval& whole, const Interval& away,
                        const Interval& h, const Blocks& blocks, const FallSteps& steps,
                        std::vector<int>& falls, Budget& budget);

}  // namespace plaudit::proof
