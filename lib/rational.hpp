// Exact rationals: how parameters enter plaudit. "0.1" is 1/10.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace plaudit {

using Integer = boost::multiprecision::mpz_int;
using Rational = boost::multiprecision::mpq_rational;

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

/// Shortest exact text that parse_rational reads back: a decimal (with an exponent when that is
/// shorter) where one exists, a fraction otherwise.
std::string to_string(const Rational& value);

/// The exact sum; fast for many numbers of few denominators.
Rational sum_of(const std::vector<Rational>& values);

/// Nearest double for heuristics; never used in a bound. Values out of range saturate to +-inf or
/// to 0.
double estimate(const Rational& value);
/// log|value|, valid far outside double's range (-inf for 0).
double estimate_log(const Rational& value);

}  // namespace plaudit
