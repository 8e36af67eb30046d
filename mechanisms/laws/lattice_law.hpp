// A law of the privacy loss on a lattice: that of a lattice mechanism, or of a discretisation.
#pragma once

#include <optional>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

/// The finite measure P(L = offset + j mesh) = masses[j - first], and P(L = +inf) = infinite.
/// Q has the mass e^{-l} P(L = l) at l. Masses need not sum to 1: a pessimistic or optimistic law
/// is a measure whose curve bounds another one.
struct LatticeLaw {
  Ball mesh;                                          ///< > 0
  Ball offset;                                        ///< usually 0
  long first = 0;                                     ///< j of masses[0]
  std::vector<Ball> masses;                           ///< enclosures of numbers >= 0
  Ball infinite;                                      ///< >= 0
  std::optional<Rational> exact_mesh = std::nullopt;  ///< where the mesh is rational

  long last() const { return first + static_cast<long>(masses.size()) - 1; }
  Ball point(long j) const { return offset + Ball(j) * mesh; }
  /// sum_j P(L = l_j) e^{t l_j}: the finite mass at t = 0, Q(dP/dQ > 0) at t = -1.
  Ball mgf(const Ball& t) const;
  /// The terms of that sum, in order.
  std::vector<Ball> tilted(const Ball& t) const;
  /// The same divided by an exact `divisor` > 0, in doubles; the sum of what they are off by is at
  /// most `distance`. Proof: docs/proofs/lattice.md#tilted
  std::vector<double> tilted_doubles(const Ball& t, const Ball& divisor, Ball& distance) const;
};

}  // namespace plaudit
