// Square roots of rationals: where they are rational, and rationals beside them.
#pragma once

#include <optional>
#include <string>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// The root of a number >= 0, where it is rational.
std::optional<Rational> rational_root(const Rational& square);

/// factor sqrt(radicand): a number whose square is rational. A radicand other than 1 is positive
/// and has no rational root.
struct Root {
  Rational factor;
  Rational radicand = 1;

  bool rational() const { return radicand == 1; }
  Rational square() const { return factor * factor * radicand; }
  bool operator==(const Root&) const = default;
};

/// The root of a number >= 0.
Root root_of(const Rational& square);
Root operator*(const Root& a, const Root& b);
/// @param b not 0.
Root operator/(const Root& a, const Root& b);
/// a + b; nothing where its square is irrational.
std::optional<Root> sum_of(const Root& a, const Root& b);
/// The greatest integer that is not above it.
Integer floor_of(const Root& x);
/// As the spec language writes it: 2*sqrt(2).
std::string to_string(const Root& x);

/// Multiples of 10^-20, for a number > 0: the least one whose square is certainly above it, and the
/// greatest one whose square is at most it (0 where the root is below 10^-20).
Rational root_above(const Rational& square);
Rational root_below(const Rational& square);

}  // namespace plaudit
