#include "lib/balls/binomial.hpp"

#include <math.h>  // lgamma_r

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

}  // namespace plaudit
