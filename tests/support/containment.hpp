// Assertions on enclosures. Containment and overlap are exact; a tolerance may bound a width only.
#pragma once

#include <doctest/doctest.h>
#include <flint/fmpq.h>

#include "lib/balls/ball.hpp"
#include "lib/balls/complex_ball.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit::test {

inline bool holds(const Ball& outer, const Rational& q) {
  fmpq_t value;
  fmpq_init(value);
  fmpq_set_mpq(value, q.data());
  const bool result = arb_contains_fmpq(outer.raw(), value) != 0;
  fmpq_clear(value);
  return result;
}
inline bool holds(const Ball& outer, const Ball& inner) { return contains(outer, inner); }
inline bool holds(const ComplexBall& outer, const ComplexBall& inner) {
  return contains(outer.real(), inner.real()) && contains(outer.imaginary(), inner.imaginary());
}
inline bool holds(const Ball& outer, long n) { return holds(outer, Rational(n)); }
inline bool holds(const Ball& outer, int n) { return holds(outer, Rational(n)); }
inline bool holds(const Ball& outer, const char* decimal) {
  return holds(outer, parse_rational(decimal));
}

/// Some point of `a` is at most some point of `b`.
inline bool may_be_below(const Ball& a, const Ball& b) {
  return certainly_less_equal(a.lower(), b.upper());
}

inline std::string show(const Ball& x) { return x.to_string(40); }
inline std::string show(const Rational& q) { return to_string(q); }
inline std::string show(const char* text) { return text; }
inline std::string show(long n) { return std::to_string(n); }
inline std::string show(int n) { return std::to_string(n); }

/// Upper bound of the relative width of [lower, upper].
inline double relative_width(const Ball& lower, const Ball& upper) {
  if (certainly_less_equal(upper, lower)) return 0;
  return ((upper - lower) / abs(upper)).upper_double();
}

}  // namespace plaudit::test

/// `outer` (a ball) contains `inner`: a ball, a rational, an integer or the text of a decimal.
#define CHECK_CONTAINS(outer, inner)                                                        \
  CHECK_MESSAGE(plaudit::test::holds(outer, inner), plaudit::test::show(outer), " misses ", \
                plaudit::test::show(inner))
#define CHECK_OVERLAPS(a, b)                                                        \
  CHECK_MESSAGE(plaudit::overlaps(a, b), plaudit::test::show(a), " is apart from ", \
                plaudit::test::show(b))
/// The relative radius of the ball is below the tolerance.
#define CHECK_WIDTH_BELOW(ball, tolerance) \
  CHECK(((ball).radius() / abs(ball)).upper_double() < (tolerance))
