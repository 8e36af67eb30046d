#include "lib/balls/interval.hpp"

#include <cmath>

#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

TEST_CASE("an interval contains its ball, and its ball contains it") {
  Random random(41);
  for (int i = 0; i < trials(2000); ++i) {
    const PrecisionScope scope(random.precision());
    const Ball x = random.ball();
    const Interval ends = enclose(x);
    CAPTURE(x.to_string());
    const Ball low = exact_ball(ends.lower);
    const Ball high = exact_ball(ends.upper);
    const Rational q = random.point_of(x);
    CHECK_CONTAINS(hull(low, high), q);
    CHECK(exact_rational(low) <= q);
    CHECK(exact_rational(high) >= q);
    CHECK_CONTAINS(enclosing_ball(ends), x);
    const Rational p = random.point_of(x);
    CHECK_CONTAINS(enclosing_ball(ends), p);
    if (x.is_exact()) CHECK(ends.lower == ends.upper);
  }
}

TEST_CASE("ends that are infinite or not numbers") {
  const Interval up = enclose(positive_infinity());
  CHECK(isinf(up.upper));
  CHECK(up.upper > 0);
  for (const Ball& x : {Ball(std::nan("")), Ball(1) / Ball(0), log(Ball(-1)),
                        widened(Ball(1), positive_infinity())}) {
    const Interval all = enclose(x);
    CHECK((isinf(all.lower) && all.lower < 0));
    CHECK((isinf(all.upper) && all.upper > 0));
  }
  CHECK_FALSE(enclosing_ball(enclose(Ball(std::nan("")))).is_finite());
}

TEST_CASE("magnitudes beyond MPFR's exponents are replaced on the safe side") {
  const PrecisionScope scope(64);
  const Ball tiny = ldexp(Ball(3), -4000000000000000000L);
  const Interval small = enclose(tiny);
  CHECK(small.lower >= 0);
  CHECK(small.upper > 0);
  CHECK(certainly_greater_equal(exact_ball(small.upper), tiny));
  CHECK(certainly_less_equal(exact_ball(small.lower), tiny));
  const Interval negative = enclose(-tiny);
  CHECK(negative.upper <= 0);
  CHECK(negative.lower < 0);
  const Ball huge = ldexp(Ball(3), 4000000000000000000L);
  const Interval large = enclose(huge);
  CHECK(certainly_less_equal(exact_ball(large.lower), huge));
  CHECK((isinf(large.upper) || certainly_greater_equal(exact_ball(large.upper), huge)));
}

TEST_CASE("an MPFR number is taken exactly") {
  MpfrFloat x;
  mpfr_set_str(x.data(), "0.1", 10, MPFR_RNDN);
  const Ball exact = exact_ball(x);
  CHECK(exact.is_exact());
  CHECK(enclose(exact).lower == x);
}
