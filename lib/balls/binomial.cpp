#include "lib/balls/binomial.hpp"

#include <math.h>  // lgamma_r

#include <cmath>

#include "lib/balls/precision.hpp"

namespace plaudit {

Ball log_factorial(std::uint64_t n) {
  Ball result;
  arb_lgamma(result.raw(), Ball(n + 1).raw(), working_precision());
  return result;
}

Ball log_binomial(std::uint64_t n, std::uint64_t k) {
  if (k == 0 || k == n) return Ball(0);
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

double estimate_log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double estimate_log_choose(double n, double k) {
  return estimate_log_gamma(n + 1) - estimate_log_gamma(k + 1) - estimate_log_gamma(n - k + 1);
}

double estimate_relative_entropy(double x, double p) {
  const double left = x > 0 ? x * std::log(x / p) : 0;
  const double right = x < 1 ? (1 - x) * std::log((1 - x) / (1 - p)) : 0;
  return left + right;
}

}  // namespace plaudit
