// Values of sum_j x_j e^{2 pi i j k / K}, k < count, for positive numbers x_j that come one by one:
// what Riemann sums of a density and sums over cells of a distribution function have in common.
#pragma once

#include <functional>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// Calls the sink with (j, value), value enclosing e^{-scale} x_j >= 0, j increasing.
using LatticeTerms = std::function<void(const std::function<void(long, const Ball&)>&)>;

struct LatticeSums {
  std::vector<ComplexBall> values;
  Ball rounding;  ///< bound of what the values miss by rounding (0 in balls)
};

/// Indices of the terms, how they are scaled, the length K of the transform (a power of two).
struct LatticeRange {
  long first = 0;
  long last = 0;
  double scale = 0;
  std::size_t size = 0;
  std::size_t count = 0;  ///< values wanted, at most K / 2
  double points() const { return static_cast<double>(last) - static_cast<double>(first) + 1; }
};

/// By the radix-2 kernel in binary64; at most 2^22 terms.
/// Proof: docs/proofs/fourier.md#riemann
LatticeSums sums_in_doubles(const LatticeRange& range, const LatticeTerms& terms);

/// In balls at the working precision, by a transform or term by term.
/// @throws std::domain_error where that would take minutes.
LatticeSums sums_in_balls(const LatticeRange& range, const LatticeTerms& terms);

}  // namespace plaudit
