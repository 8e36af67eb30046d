// Intervals against MPFR's own functions at more bits.
#include "accountants/proof/arithmetic/intervals.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lib/exact/checked_integer.hpp"

using namespace plaudit;
using proof::Interval;

TEST_CASE("the tail of the normal law encloses erfc, closely, at every precision and place") {
  for (const long bits : {32L, 53L, 100L, 256L, 700L}) {
    for (const double x :
         {-40.0, -3.0, 0.0, 0.5, 2.9, 3.1, 4.0, 6.5, 9.0, 13.0, 27.0, 81.0, 700.0}) {
      CAPTURE(bits);
      CAPTURE(x);
      const Interval found = [&] {
        const PrecisionScope scope(bits);
        return proof::normal_tail(Interval(checked_rational(x, "x")));
      }();
      const PrecisionScope scope(2 * bits + 128);
      const Interval root = Interval(checked_rational(x, "x")) / proof::sqrt(Interval(2));
      Interval low;
      mpfr_erfc(&low.data()->left, root.high(), MPFR_RNDD);
      mpfr_erfc(&low.data()->right, root.low(), MPFR_RNDU);
      const Interval truth = proof::half(low);
      CHECK(mpfr_lessequal_p(found.low(), truth.low()) != 0);
      CHECK(mpfr_lessequal_p(truth.high(), found.high()) != 0);
      CHECK(proof::at_most(
          proof::scaled(proof::half_width(found),
                        bits - 16 - 2 * static_cast<long>(std::log2(2 + std::abs(x)))),
          proof::top(found)));
    }
  }
}

TEST_CASE("the tail over an interval encloses that of both ends, and of ends at infinity") {
  const PrecisionScope scope(100);
  const Interval wide = proof::hull(Interval(4), Interval(9));
  const Interval found = proof::normal_tail(wide);
  CHECK(proof::at_most(proof::bottom(found), proof::bottom(proof::normal_tail(Interval(9)))));
  CHECK(proof::at_most(proof::top(proof::normal_tail(Interval(4))), proof::top(found)));
  Interval endless(5);
  mpfr_set_inf(&endless.data()->right, 1);
  const Interval rest = proof::normal_tail(endless);
  CHECK(mpfr_sgn(rest.low()) <= 0);
  CHECK(proof::at_most(proof::top(proof::normal_tail(Interval(5))), proof::top(rest)));
}
