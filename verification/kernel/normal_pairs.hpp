// The pair of normal mixtures behind each law of a composition, with integer centres, where there
// is one.
#pragma once

#include "mechanisms/composition.hpp"
#include "verification/kernel/gaussian_slices.hpp"

namespace plaudit::kernel {

struct CountedPair {
  NormalPair pair;
  Rational unit;  ///< what 1 is in the mechanism's outcomes
  std::uint64_t count;
  std::string spec;
};

/// @throws std::invalid_argument naming the law that is no such pair.
std::vector<CountedPair> normal_pairs(const Composition& composition, Direction direction);

}  // namespace plaudit::kernel
