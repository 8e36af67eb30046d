// The least height over a convex curve from below: against polygons, where it is known exactly,
// with enclosures on either side of them, and against a smooth curve.
#include "verification/meaning/curve_cuts.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "lib/balls/precision.hpp"

using namespace plaudit;

namespace {

/// The greatest of the lines 1 - u, 1/2 - u/8 and 1/10: with corners at 4/7 and 16/5.
Ball polygon(const Rational& u) {
  return max(Ball(Rational(1 - u)),
             max(Ball(Rational(Rational(1, 2) - u / 8)), Ball(Rational(1, 10))));
}

/// Points of the polygon, the values widened to one side by turns, first up or down.
CutCurve around_polygon(const Rational& width, bool up) {
  CutCurve curve{{{Ball(0), Ball(1), Ball(1)}}, Ball(1), Ball(Rational(1, 10))};
  for (const Rational& u :
       {Rational(1, 4), Rational(1, 2), Rational(1), Rational(2), Rational(4), Rational(8)}) {
    const Ball value = polygon(u);
    const Ball more = value + Ball(width);
    const Ball less = value - Ball(width);
    curve.points.push_back({Ball(u), (up ? value : less).lower(), (up ? more : value).upper()});
    up = !up;
  }
  return curve;
}

}  // namespace

TEST_CASE("cuts: exact at a corner that two points on either side show") {
  const PrecisionScope scope(200);
  // the corner 4/7 has the height 3/7 + a 4/7 for slopes a from 1/8 to 1
  const CutCurve curve = around_polygon(0, true);
  for (const Rational& a : {Rational(1, 4), Rational(1, 2), Rational(9, 10)}) {
    const Ball exact(Rational(Rational(3, 7) + a * Rational(4, 7)));
    const LeastHeight least = least_height(curve, Ball(a));
    CHECK(certainly_less_equal(least.bound, exact));
    CHECK(certainly_less(exact - least.bound, Ball(Rational(1, 1'000'000))));
    CHECK(certainly_less(abs(least.place - Ball(Rational(4, 7))), Ball(Rational(1, 1'000'000))));
  }
}

TEST_CASE("cuts: below every curve that the enclosures allow") {
  const PrecisionScope scope(200);
  for (const Rational& width : {Rational(1, 10'000), Rational(1, 100)}) {
    for (const bool up : {false, true}) {
      const CutCurve curve = around_polygon(width, up);
      for (const Rational& a : {Rational(1, 20), Rational(1, 4), Rational(9, 10)}) {
        const LeastHeight least = least_height(curve, Ball(a));
        for (const Rational& u : {Rational(4, 7), Rational(16, 5)}) {
          CHECK(certainly_less_equal(least.bound, polygon(u) + Ball(Rational(a * u))));
        }
      }
    }
  }
}

TEST_CASE("cuts: off by the product of the distances where the curve is smooth") {
  // 1 / (1 + u) + a u is least at u = a^(-1/2) - 1, where it is 2 sqrt(a) - a
  const PrecisionScope scope(300);
  const Ball a(Rational(1, 4));
  const auto at = [](const Rational& u) { return Ball(Rational(1 / (1 + u))); };
  for (const Rational& h : {Rational(1, 100), Rational(1, 10'000)}) {
    CutCurve curve{{{Ball(0), Ball(1), Ball(1)}}, Ball(1), Ball(0)};
    for (const Rational& u :
         {Rational(1 - 3 * h), Rational(1 - h), Rational(1 + h), Rational(1 + 3 * h)}) {
      curve.points.push_back({Ball(u), at(u).lower(), at(u).upper()});
    }
    curve.points.push_back({Ball(4), Ball(0), Ball(1)});
    const Ball exact(Rational(3, 4));
    const LeastHeight least = least_height(curve, a);
    CHECK(certainly_less(least.bound, exact));
    CHECK(certainly_less(exact - least.bound, Ball(Rational(h * h))));
  }
}
