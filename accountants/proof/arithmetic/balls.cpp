#include "accountants/proof/arithmetic/balls.hpp"

#include <cmath>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit::proof {

namespace {
constexpr double most_guess = 1e15;  ///< doubles below it have fractions
}  // namespace

double estimate_log(const Interval& x) {
  long exponent = 0;
  const double mantissa = mpfr_get_d_2exp(&exponent, x.high(), MPFR_RNDN);
  if (!(mantissa > 0)) return -infinity;
  return std::log(mantissa) + static_cast<double>(exponent) * log_two;
}

Interval charged(const ErrorTerm& term, const Interval& bound) {
  require(nonnegative(top(bound)), "the bound of an error is negative");
  return top(bound) * Interval(checked_rational(sabotage::factor(term.name), "a factor"));
}

std::pair<Integer, Integer> floors_of(const Ball& x) {
  const double guess = std::floor(x.estimate());
  if (std::fabs(guess) < most_guess) {  // nearly always, at a tenth of the cost
    const Ball near(guess);
    if (certainly_less_equal(near, x) && certainly_less(x, near + Ball(1))) {
      const Integer floor(checked_integer(guess, "a floor"));
      return {floor, floor};
    }
  }
  require(x.is_finite(), "an enclosure is not finite");
  return {floor_of(exact_rational(x.lower())), floor_of(exact_rational(x.upper()))};
}
std::pair<Integer, Integer> floors_of(const Interval& x) {
  return {floor_of(lower(x)), floor_of(upper(x))};
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
