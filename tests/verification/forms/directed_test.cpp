#include "verification/forms/directed.hpp"

#include <doctest/doctest.h>

#include "lib/balls/interval.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

bool holds_exactly(const Directed& x, const Rational& q) {
  return x.exact_lower() <= q && q <= x.exact_upper();
}

Ball ball_of(const Directed& x) { return hull(exact_ball(x.lower()), exact_ball(x.upper())); }

/// The interval of two rationals.
Directed between(const Rational& a, const Rational& b) { return hull(Directed(a), Directed(b)); }

}  // namespace

TEST_CASE("results of arithmetic are enclosed for points of the operands") {
  Random random(11);
  for (int i = 0; i < trials(2000); ++i) {
    Directed::set_precision(random.precision());
    const Rational a = random.rational();
    const Rational b = random.rational();
    const Directed x = between(a, a + random.rational());
    const Directed y = between(b, b + random.rational());
    CHECK(holds_exactly(x + y, a + b));
    CHECK(holds_exactly(x - y, a - b));
    CHECK(holds_exactly(x * y, a * b));
    CHECK(holds_exactly(-x, -a));
    if (y.certainly_positive() || (-y).certainly_positive()) CHECK(holds_exactly(x / y, a / b));
    CHECK(holds_exactly(max(x, y), a > b ? a : b));
  }
  Directed::set_precision(200);
}

TEST_CASE("a single operation is rounded once") {
  const Directed third = Directed(1) / Directed(3);
  const Rational width = third.exact_upper() - third.exact_lower();
  CHECK(width > 0);
  CHECK(width <= Rational(1) / (Integer(1) << 200));
  CHECK(third.exact_lower() < Rational(1, 3));
  CHECK(Rational(1, 3) < third.exact_upper());
}

TEST_CASE("functions agree with ball arithmetic") {
  Random random(12);
  const PrecisionScope scope(300);
  for (int i = 0; i < trials(300); ++i) {
    const Rational q = exactly(random.uniform(-30, 30));
    const Directed x(q);
    const Ball ball(q);
    CHECK_OVERLAPS(ball_of(exp(x)), exp(ball));
    CHECK_OVERLAPS(ball_of(erfc(x)), erfc(ball));
    CHECK_OVERLAPS(ball_of(normal_below(x)), normal_cdf(ball));
    if (q > 0) {
      CHECK_OVERLAPS(ball_of(log(x)), log(ball));
      CHECK_OVERLAPS(ball_of(sqrt(x)), sqrt(ball));
      const auto n = static_cast<unsigned long>(random.integer(0, 40));
      CHECK_OVERLAPS(ball_of(power(x, n)), power(ball, n));
    }
  }
}

TEST_CASE("functions of wide intervals hold those of points inside") {
  Random random(13);
  for (int i = 0; i < trials(200); ++i) {
    const double a = random.uniform(-9, 9);
    const double b = random.uniform(-9, 9);
    const Directed wide = hull(Directed(a), Directed(b));
    const Directed inside((a + b) / 2);
    for (const auto& [outer, inner] :
         {std::pair(exp(wide), exp(inside)), std::pair(erfc(wide), erfc(inside)),
          std::pair(normal_below(wide), normal_below(inside))}) {
      CHECK(outer.exact_lower() <= inner.exact_lower());
      CHECK(inner.exact_upper() <= outer.exact_upper());
    }
  }
}

TEST_CASE("decimals are rounded outward") {
  const Directed x = Directed(2) / Directed(3);
  CHECK(x.below(4) == "6.666e-01");
  CHECK(x.above(4) == "6.667e-01");
  CHECK_THROWS_AS(log(Directed(-1)), std::domain_error);
  CHECK_THROWS_AS(sqrt(Directed(-1)), std::domain_error);
  CHECK_FALSE((Directed(1) / hull(Directed(-1), Directed(1))).is_finite());
}
