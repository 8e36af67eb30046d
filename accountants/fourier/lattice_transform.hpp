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
  Ball rounding;  ///< bound of |value - exact| in each, not in its radius (0 in balls)
};

struct LatticeRange {
  long first = 0;         ///< index j of the first term
  long last = 0;          ///< and of the last one
  double scale = 0;       ///< the terms are e^{-scale} x_j
  std::size_t size = 0;   ///< K, a power of two
  std::size_t count = 0;  ///< values wanted, at most K / 2
  double points() const { return static_cast<double>(last) - static_cast<double>(first) + 1; }
};

/// By the radix-2 kernel in binary64. Proof: docs/proofs/fourier.md#riemann
LatticeSums sums_in_doubles(const LatticeRange& range, const LatticeTerms& terms);

/// In balls at the working precision, by a transform or term by term.
/// @throws std::domain_error where that would take minutes.
LatticeSums sums_in_balls(const LatticeRange& range, const LatticeTerms& terms);

}  // namespace plaudit
