// Decimals of balls and rationals, rounded down or up: lower and upper ends as texts.
#pragma once

#include <string>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// The largest decimal with `digits` (at least 2) significant digits that is <= every point of x;
/// "-inf", "inf" or "nan" for ends that are. Plain notation from 1e-4 to 1e21, 1.5e-30 otherwise;
/// parse_rational reads it back.
std::string decimal_below(const Ball& x, int digits);
/// The smallest decimal with `digits` significant digits that is >= every point of x.
std::string decimal_above(const Ball& x, int digits);
/// The same for an exact number: itself, where it has that few digits.
std::string decimal_below(const Rational& x, int digits);
std::string decimal_above(const Rational& x, int digits);

}  // namespace plaudit
