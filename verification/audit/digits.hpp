// The digits at which claims are examined, and what is said where they decide nothing.
#pragma once

namespace plaudit {

/// Digits asked for, one after the other.
inline constexpr int audit_ladder[] = {6, 12, 24, 50, 100, 200, 400, 800};
/// More than any band of the ladder needs, so that ends compare as the numbers they are.
inline constexpr long comparison_bits = 8192;
/// Shown beyond the digits asked for.
inline constexpr int guard_digits = 4;

inline constexpr const char* undecided_words =
    "the certified band contains the claimed value; digits or time ran out";

}  // namespace plaudit
