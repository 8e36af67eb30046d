// Balls as text, exactly: how they pass between processes.
#pragma once

#include <string>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// Printable and exact, of any ball.
std::string dumped(const Ball& x);
/// The ball that was dumped. @throws std::invalid_argument for any other text.
Ball loaded_ball(const std::string& text);

}  // namespace plaudit
