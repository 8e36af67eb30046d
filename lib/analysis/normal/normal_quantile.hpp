// The quantile of the standard normal law, enclosed.
#pragma once

#include <optional>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// y with Phi(y) = p, for all points p of the ball; nothing where the ball is not certainly within
/// (0, 1), or no signs are decided at the working precision.
std::optional<Ball> normal_quantile(const Ball& p);

}  // namespace plaudit
