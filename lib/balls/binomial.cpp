#include "lib/balls/binomial.hpp"

#include <math.h>  // lgamma_r NOLINT(modernize-deprecated-headers)

#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

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

namespace {

/// The sum of P(X = j), which fall, over j = k, k+1, ... (`up`) or k, k-1, ..., to 2^-bits of it.
Ball sum_from(std::uint64_t n, const Rational& rate, std::uint64_t k, bool up, long bits) {
  const Ball odds = Ball(Rational(rate / (1 - rate)));
  Ball term =
      exp(log_binomial(n, k) + Ball(k) * log(Ball(rate)) + Ball(n - k) * log1p(-Ball(rate)));
  Ball sum = term;
  const std::uint64_t last = up ? n : 0;
  for (std::uint64_t j = k; j != last; up ? ++j : --j) {
    if ((j & 1023) == 0) check_work_limit();
    const Ball ratio = up ? Ball(n - j) / Ball(j + 1) * odds : Ball(j) / (Ball(n - j + 1) * odds);
    // The ratios fall along the sum, so what follows is at most the geometric series of this one.
    const Ball rest = (term * ratio / (Ball(1) - ratio)).upper();
    if (certainly_positive(Ball(1) - ratio) && certainly_less(rest, ldexp(sum.lower(), -bits))) {
      const Ball half = ldexp(PLAUDIT_BOUND("binomial.rest", rest, Ball(0)), -1);
      return widened(sum + half, half);
    }
    term *= ratio;
    sum += term;
  }
  return sum;
}

}  // namespace

// Proof: docs/proofs/poisson_adjacencies.md#binomial-tail
Ball binomial_tail(std::uint64_t n, const Rational& rate, std::uint64_t k) {
  if (k == 0 || rate == 1) return Ball(k <= n ? 1 : 0);
  if (k > n) return Ball(0);
  constexpr long bits_of_exponent = 96;  // n log(n) and its like have fewer; its exp loses them
  const Rational mode = rate * Rational(Integer(n + 1));
  const bool beyond = Rational(Integer(k)) >= mode;
  const long wanted = working_precision();
  Ball result;
  {
    const PrecisionScope scope(wanted + bits_of_exponent);
    result = beyond ? sum_from(n, rate, k, true, wanted)
                    : Ball(1) - sum_from(n, rate, k - 1, false, wanted);
  }
  return result;
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
