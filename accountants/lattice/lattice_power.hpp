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

/// Where the power is wanted, the tilt of the transform, and orders of moments that bound what is
/// outside of the window: any that satisfy the inequalities are valid.
struct PowerPlan {
  GridWindow window;  ///< of the power, in points of the law's lattice
  double tilt;        ///< t
  double right;       ///< > tilt: E[e^{tS}; S above the window]
  double left;        ///< < tilt: E[e^{tS}; S below it]
  double far;         ///< > 0: P(S above the window)
  double near;        ///< < 0: P(S below it)
};

/// A law whose curve lies above (below) that of n copies of `law`, which has offset 0.
LatticeLaw lattice_power(const LatticeLaw& law, std::uint64_t n, const PowerPlan& plan, Side side);

}  // namespace plaudit
