#include "lib/balls/gamma.hpp"

#include <cmath>
#include <complex>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"

namespace plaudit {

ComplexBall reciprocal_gamma(const ComplexBall& z) {
  constexpr double logarithms = 20;  // its nominal cost
  ComplexBall result;
  acb_rgamma(result.raw(), z.raw(), affordable_precision(logarithms));
  return result;
}

double estimate_log_gamma(double x, double y) {
  constexpr double far_enough = 12;  // two terms of Stirling's series leave 4e-9 there
  double below = 0;
  std::complex<double> z(x, y);
  while (std::abs(z) < far_enough) {
    below += std::log(std::abs(z));
    z += 1;
  }
  const std::complex<double> stirling =
      (z - 0.5) * std::log(z) - z + log_sqrt_two_pi + 1.0 / (12.0 * z) - 1.0 / (360.0 * z * z * z);
  return stirling.real() - below;
}

}  // namespace plaudit
