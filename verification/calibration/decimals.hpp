// Short decimals: what a calibration tries, and how far apart they are.
#pragma once

#include "lib/exact/rational.hpp"

namespace plaudit {

/// 10^k.
Rational power_of_ten(long k);
/// The largest k with 10^k <= x, x > 0.
long decimal_exponent(const Rational& x);
/// The greatest multiple of `step` > 0 that is at most x.
Rational rounded_down(const Rational& x, const Rational& step);

}  // namespace plaudit
