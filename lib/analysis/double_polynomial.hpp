// Values of a polynomial at many points in binary64, with a proven error.
//
// The coefficients c_k are given as enclosures, their nearest doubles are C_k, and Horner's rule in
// doubles at a double x with |x| <= 1 is off from sum c_k x^k by at most
//   gamma_2d sum |C_k| + sum |c_k - C_k| + d 2^-1074,   gamma_m = m u / (1 - m u), u = 2^-53.
// Proof: docs/proofs/blocks.md#horner
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"

namespace plaudit {

class DoublePolynomial {
 public:
  /// @param coefficients of x^0, x^1, ...: at least one, finite.
  explicit DoublePolynomial(const std::vector<Ball>& coefficients);
  /// @param coefficients the C_k. @param distance >= sum |c_k - C_k|.
  DoublePolynomial(std::vector<double> coefficients, const Ball& distance);

  /// Upper bound of the error of every value at |x| <= 1; +inf where the doubles may overflow.
  const Ball& error() const { return error_; }

  /// values[i] = the value at x = (first + i) step for i < count. The caller sees to it that these
  /// products are exact doubles in [-1, 1].
  void values_at(long first, double step, std::size_t count, double* values) const;

 private:
  void bound_error(const Ball& distance);

  std::vector<double> coefficients_;
  Ball error_;
};

/// Whether k x is an exact double for all integers |k| <= 2^28 (barring underflow).
bool is_short(double x);

/// The greatest double with that property that is at most x > 0.
double short_at_most(double x);

}  // namespace plaudit
