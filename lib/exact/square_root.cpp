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

Root root_of(const Rational& square) {
  if (const auto root = rational_root(square)) return {*root};
  return {1, square};
}

Root operator*(const Root& a, const Root& b) {
  if (a.rational() || b.rational()) {
    const Rational factor = a.factor * b.factor;
    return {factor, factor == 0 ? Rational(1) : Rational(a.radicand * b.radicand)};
  }
  Root product = root_of(a.radicand * b.radicand);
  product.factor *= a.factor * b.factor;
  return product;
}

Root operator/(const Root& a, const Root& b) {
  return a * Root{1 / (b.factor * b.radicand), b.radicand};
}

std::optional<Root> sum_of(const Root& a, const Root& b) {
  if (a.factor == 0) return b;
  if (b.factor == 0) return a;
  if (a.radicand == b.radicand) return Root{a.factor + b.factor} * Root{1, a.radicand};
  const auto ratio = rational_root(b.radicand / a.radicand);
  if (!ratio) return std::nullopt;
  return Root{a.factor + b.factor * *ratio} * Root{1, a.radicand};
}

Integer floor_of(const Root& x) {
  if (x.rational()) return floor_of(x.factor);
  const Integer size = integer_root(floor_of(x.square()));
  return x.factor > 0 ? size : -size - Integer(1);
}

std::string to_string(const Root& x) {
  if (x.rational()) return to_string(x.factor);
  return (x.factor == 1 ? "" : to_string(x.factor) + '*') + "sqrt(" + to_string(x.radicand) + ')';
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
