// A non-negative double from above, where a line is walked in binary64.
#pragma once

namespace plaudit {

/// More than the relative error of a few operations.
inline constexpr double rounding_unit = 0x1p-50;

inline double up(double x) { return x * (1 + rounding_unit); }

}  // namespace plaudit
