#include "accountants/proof/arithmetic/balls.hpp"

#include <cmath>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit::proof {

double estimate_log(const Interval& x) {
  long exponent = 0;
  const double mantissa = mpfr_get_d_2exp(&exponent, x.high(), MPFR_RNDN);
  if (!(mantissa > 0)) return -infinity;
  return std::log(mantissa) + static_cast<double>(exponent) * log_two;
}

Interval charged(const ErrorTerm& term, const Interval& bound) {
  return top(bound) * Interval(checked_rational(sabotage::factor(term.name), "a factor"));
}

Interval Made<Interval>::binomial(unsigned long n, unsigned long k) {
  Integer result;
  mpz_bin_uiui(result.data(), n, k);
  return Interval(result);
}

Interval Made<Interval>::factorial(unsigned long n) {
  Integer result;
  mpz_fac_ui(result.data(), n);
  return Interval(result);
}

}  // namespace plaudit::proof
