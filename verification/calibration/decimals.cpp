#include "verification/calibration/decimals.hpp"

#include <cmath>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

Rational power_of_ten(long k) {
  const Rational power(pow(Integer(10), static_cast<unsigned long>(k < 0 ? -k : k)));
  return k < 0 ? Rational(1 / power) : power;
}

long decimal_exponent(const Rational& x) {
  constexpr long farthest = 400'000;  // where the search for k begins at most
  long k = clamped_integer(std::floor(estimate_log(x) / log_ten), -farthest, farthest);
  while (power_of_ten(k) > x) --k;
  while (power_of_ten(k + 1) <= x) ++k;
  return k;
}

Rational rounded_down(const Rational& x, const Rational& step) {
  const Rational quotient = x / step;
  Integer whole = numerator(quotient) / denominator(quotient);
  if (Rational(whole) > quotient) --whole;
  return whole * step;
}

}  // namespace plaudit
