// Sums sum_j g_j u_j^k for many k at once in binary64, each with a proven bound of its error: for
// sums that need few digits, some ten times as fast as in balls.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// |2^exponent values[k] - sum_j g_j u_j^k| <= 2^exponent errors[k], over all points of the balls.
struct RoughSums {
  std::vector<std::complex<double>> values;
  std::vector<double> errors;  ///< about 2^-52 (number of terms) sum_j |g_j u_j^k|, or inf
  long exponent = 0;           ///< about that of the greatest g_j

  /// A ball around the sum k.
  ComplexBall ball(std::size_t k) const;
};

/// For k < count; weights and bases of equal length. Rows and columns of powers are made in balls,
/// at the working precision up to 128 bits. Honours the work limit. Proof:
/// docs/proofs/straight_contour.md#sums-in-doubles
RoughSums rough_power_sums(const std::vector<ComplexBall>& weights,
                           const std::vector<ComplexBall>& bases, std::size_t count);

}  // namespace plaudit
