#include "lib/analysis/strip_quadrature.hpp"

#include "lib/mutant.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace plaudit {

// Proof: docs/proofs/strip_trapezoid.md#strip-trapezoid
Ball strip_trapezoid_factor(const Ball& half_width, const Ball& step) {
  if (!certainly_positive(half_width) || !certainly_positive(step)) {
    return Ball(std::nan(""));
  }
  return Ball(1) / expm1(ldexp(pi(), PLAUDIT_BOUND("strip.two_pi", 1, 2)) * half_width / step);
}

Ball strip_trapezoid_error(const Ball& norm_above, const Ball& norm_below, const Ball& half_width,
                           const Ball& step) {
  return (PLAUDIT_BOUND("strip.upper_norm", norm_above, Ball(0)) +
          PLAUDIT_BOUND("strip.lower_norm", norm_below, Ball(0))) *
         strip_trapezoid_factor(half_width, step);
}

double strip_step(double half_width, double nats) {
  return 2 * std::numbers::pi * half_width / std::max(nats, 1.0);
}

double short_double(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::floor(mantissa * 65536) / 65536, exponent);
}

// The error of a rounded sum is a double, and these operations give it (Knuth, TAOCP 2, 4.2.2,
// Theorem B): the sum is exact where it is 0.
// binary64 bound: docs/proofs/strip_trapezoid.md#exact-edges
double exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  if (PLAUDIT_BOUND("strip.exact_edges", error != 0, false) || !std::isfinite(sum))
    throw std::domain_error("an edge of a strip is no double");
  return sum;
}

}  // namespace plaudit
