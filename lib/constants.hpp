// Constants in binary64, for choices: bounds take theirs from balls. (pi is std::numbers::pi.)
#pragma once

#include <limits>
#include <numbers>

namespace plaudit {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double log_two = std::numbers::ln2;
inline constexpr double log_ten = std::numbers::ln10;
inline constexpr double log_sqrt_two_pi = 0.91893853320467274178;

}  // namespace plaudit
