// Doubles as integers and rationals. The cast of a double that is no finite number of the integer's
// range is undefined behaviour (infinity becomes any number), and GMP divides by zero where such a
// double is made a rational. So only this file makes integers and rationals of doubles, and each
// caller says what it wants of other doubles (tests/float_casts.py, tests/double_rationals.py).
#pragma once

#include <stdexcept>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// A double that should have been an integer of moderate size.
class IntegerError : public std::domain_error {
 public:
  using std::domain_error::domain_error;
};

/// 2^53: up to here every integer is a double, and sums of two indices are far from overflow.
constexpr long most_index = 1L << 53;

/// x without its fraction. @throws IntegerError that names `what` unless |x| <= most_index.
long checked_integer(double x, const char* what);

/// x without its fraction where it lies in [least, most], else the end next to it; `least` where it
/// is no number. For choices that any integer of the range serves.
long clamped_integer(double x, long least, long most);

/// x itself. @throws IntegerError that names `what` where x is no finite number.
Rational checked_rational(double x, const char* what);

}  // namespace plaudit
