// The digits at which claims are examined, and what is said where they decide nothing.
#pragma once

namespace plaudit {

/// Digits asked for, one after the other.
inline constexpr int audit_ladder[] = {6, 12, 24, 50, 100, 200, 400, 800};
/// Precision at which ends are compared with claimed numbers, far beyond 800 digits. Too little
/// would leave claims undecided next to an end, and decide none wrongly.
inline constexpr long comparison_bits = 8192;
/// Digits of a printed end beyond those asked for, so that the width of the band shows.
inline constexpr int guard_digits = 4;

inline constexpr const char* undecided_words =
    "the certified band contains the claimed value; digits or time ran out";

}  // namespace plaudit
