// Decimal output rounded outward: the printed text is never inside the number it bounds.
#pragma once

#include <string>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// The largest decimal with `digits` significant digits that is <= every point of x ("-inf", "nan"
/// where that is so). Plain notation for moderate sizes, 1.5e-30 otherwise; parse_rational reads
/// it back.
std::string decimal_below(const Ball& x, int digits);
/// The smallest decimal with `digits` significant digits that is >= every point of x.
std::string decimal_above(const Ball& x, int digits);
/// The same for an exact number: itself, where it has that few digits.
std::string decimal_below(const Rational& x, int digits);
std::string decimal_above(const Rational& x, int digits);

}  // namespace plaudit
