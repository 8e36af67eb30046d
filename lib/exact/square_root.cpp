#include "lib/exact/square_root.hpp"

#include <gmp.h>

namespace plaudit {

namespace {

constexpr unsigned long decimals_of_a_root = 20;  ///< fewer make the roots less near, never wrong

/// The greatest integer whose square is at most x >= 0.
Integer integer_root(const Integer& x) {
  Integer root;
  mpz_sqrt(root.data(), x.data());
  return root;
}

/// The root times `unit`, rounded down to an integer.
Integer root_in_units(const Rational& square, const Rational& unit) {
  const Rational scaled = square * unit * unit;
  return integer_root(numerator(scaled) / denominator(scaled));
}

Rational unit_of_roots() { return Rational(pow(Integer(10), decimals_of_a_root)); }

}  // namespace

std::optional<Rational> rational_root(const Rational& square) {
  const Integer above = integer_root(numerator(square));
  const Integer below = integer_root(denominator(square));
  if (above * above != numerator(square) || below * below != denominator(square)) {
    return std::nullopt;
  }
  return Rational(above) / Rational(below);
}

Rational root_above(const Rational& square) {
  const Rational unit = unit_of_roots();
  return Rational(root_in_units(square, unit) + Integer(1)) / unit;
}

Rational root_below(const Rational& square) {
  const Rational unit = unit_of_roots();
  return Rational(root_in_units(square, unit)) / unit;
}

}  // namespace plaudit
