// Square roots of rationals: where they are rational, and rationals beside them.
#pragma once

#include <optional>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// The root of a number >= 0, where it is rational.
std::optional<Rational> rational_root(const Rational& square);

/// A rational of 20 decimals whose square is above that number > 0, and one whose square is not (0
/// where the root has no digit within these decimals).
Rational root_above(const Rational& square);
Rational root_below(const Rational& square);

}  // namespace plaudit
