// Which factors of a composition share a lattice, and how few sums the others have.
//
// Any division is right: this one, made at low accuracy, leaves the fewest sums.
#pragma once

#include <optional>

#include "mechanisms/composition.hpp"

namespace plaudit {

struct LatticeSplit {
  ComposedLoss on_lattice;  ///< whose losses are on one lattice
  ComposedLoss beside;      ///< the others, none of which has a continuous part
  double sums;              ///< of the others, in floating point
};

/// Sums of the others at most: the time is proportional to them.
inline constexpr double most_sums = 1 << 17;

/// Nothing where a loss has a continuous part, all are on one lattice, or no division leaves few
/// sums.
std::optional<LatticeSplit> lattice_split(const ComposedLoss& loss);

}  // namespace plaudit
