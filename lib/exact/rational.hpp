// Exact rationals: how parameters enter plaudit. "0.1" is 1/10.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lib/exact/numbers.hpp"

namespace plaudit {

/// A text that is not a number of the spec language.
class NumberError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Reads `12`, `0.8`, `-1e-3`, `1/256`, `0.5/3e4`: decimals with optional exponent, and quotients
/// of two of them, exactly.
/// @throws NumberError for anything else, for a zero denominator, for an exponent beyond +-100000
/// and for more than 10000 characters.
Rational parse_rational(std::string_view text);

/// Exact text that parse_rational reads back: a decimal where one exists (plain from 1e-4 to below
/// 1e7, with an exponent elsewhere), a fraction p/q otherwise. Where that is not moderate (below),
/// one that is, such as 12e1000 or 7e-1000/12e3, if there is one.
std::string to_string(const Rational& value);

/// The longest decimals, and the largest exponents, that the spec language reads.
inline constexpr std::size_t longest_decimal = 1000;
inline constexpr long largest_decimal_exponent = 1000;

/// Whether a text of to_string() keeps within those bounds.
bool is_moderate(std::string_view number);

/// The exact sum; fast for many numbers of few denominators.
Rational sum_of(const std::vector<Rational>& values);

/// The greatest integer <= x.
Integer floor_of(const Rational& x);

/// The greatest number of which both are integer multiples; 0 only where both are.
Rational common_divisor(const Rational& a, const Rational& b);

/// Nearest double for heuristics; never used in a bound. Values out of range saturate to +-inf or
/// to 0.
double estimate(const Rational& value);
/// log|value|, valid far outside double's range (-inf for 0).
double estimate_log(const Rational& value);

}  // namespace plaudit
