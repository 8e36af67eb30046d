// A non-negative double from above, where a line is walked in binary64.
#pragma once

namespace plaudit {

/// 8 units 2^-53: more than the relative error of six sums or products >= 0, and of up() itself.
inline constexpr double rounding_unit = 0x1p-50;

inline double up(double x) { return x * (1 + rounding_unit); }

}  // namespace plaudit
