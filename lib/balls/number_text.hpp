// Balls and rationals as text, exactly: how they pass between processes.
#pragma once

#include <string>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// Printable ASCII from which the very number, radius included, is read back.
std::string dumped(const Ball& x);
std::string dumped(const Rational& x);
/// What was dumped. @throws std::invalid_argument for any other text.
Ball loaded_ball(const std::string& text);
Rational loaded_rational(const std::string& text);

}  // namespace plaudit
