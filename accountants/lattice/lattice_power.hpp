// The n-fold composition of a lattice law as a lattice law again, from above or below.
//
// The masses of the composition come from a discrete Fourier transform in balls of the tilted law;
// what the period wraps around is bounded by Chernoff.
// Proof: docs/proofs/grid.md#power
#pragma once

#include <cstdint>

#include "accountants/lattice/grid_pair.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

/// The mass outside of the window of a power: sent to infinity or raised to the window's first
/// point (upper), and what wraps around, subtracted from every mass (lower).
inline constexpr ErrorTerm power_window{"evolving.window", "docs/proofs/grid.md#power"};
inline constexpr ErrorTerm power_wrap{"evolving.wrap", "docs/proofs/grid.md#power"};

enum class Side { upper, lower };

/// Orders at which the moments bound the tails: right > tilt > left; far > 0 > -near untilted.
struct PowerPlan {
  GridWindow window;  ///< of the power, in points of the law's lattice
  double tilt;
  double right;  ///< > tilt: tilted mass above the window
  double left;   ///< < tilt: tilted mass below it
  double far;    ///< > 0: mass above
  double near;   ///< < 0: mass below
};

/// A law whose curve lies above (below) that of n copies of `law`, which has offset 0.
LatticeLaw lattice_power(const LatticeLaw& law, std::uint64_t n, const PowerPlan& plan, Side side);

}  // namespace plaudit
