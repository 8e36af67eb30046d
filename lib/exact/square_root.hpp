// Square roots of rationals: where they are rational, and rationals beside them.
#pragma once

#include <optional>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// The root of a number >= 0, where it is rational.
std::optional<Rational> rational_root(const Rational& square);

/// Multiples of 10^-20, for a number > 0: the least one whose square is certainly above it, and the
/// greatest one whose square is at most it (0 where the root is below 10^-20).
Rational root_above(const Rational& square);
Rational root_below(const Rational& square);

}  // namespace plaudit
