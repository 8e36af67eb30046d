// Upper bounds of the normal tail against erfc.
#include "lib/analysis/normal/normal_tail.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("normal tails: above erfc, by little") {
  const PrecisionScope scope(200);
  Random random(31);
  for (int i = 0; i < 900; ++i) {
    const double x = random.one_in(3)   ? random.uniform(0.9, 1.6)
                     : random.one_in(2) ? random.uniform(-4.5, 1)
                                        : random.uniform(-5, 60);
    const Ball truth = normal_cdf(Ball(-x));
    const Ball bound = normal_tail_above(Ball(x));
    INFO(x);
    CHECK(certainly_less_equal(truth, bound));
    CHECK(certainly_less(bound, truth * Ball(1.01)));
  }
}

TEST_CASE("normal tails: where two lines meet, and just beyond") {
  const PrecisionScope scope(200);
  for (int k = -66; k <= 18; ++k) {
    for (const double beside : {-1e-3, -1e-17, 0.0, 1e-17, 1e-3}) {
      const Ball x = Ball(k / 16.0) + Ball(beside);
      const Ball truth = normal_cdf(-x);
      const Ball bound = normal_tail_above(Ball(x.lower_double()));
      INFO(k << " " << beside);
      CHECK(certainly_less_equal(truth, bound));
      CHECK(certainly_less(bound, truth * Ball(1.003)));
    }
  }
}

TEST_CASE("normal tails: for the least point of a ball, and at the ends") {
  const Ball wide = widened(Ball(3), Ball(0.5));
  CHECK(certainly_greater_equal(normal_tail_above(wide), normal_cdf(Ball(-2.5)).lower()));
  CHECK(certainly_greater_equal(normal_tail_above(-positive_infinity()), Ball(1)));
  CHECK(certainly_less_equal(normal_tail_above(Ball(1e6)), Ball(1e-300)));
  CHECK(certainly_positive(normal_tail_above(Ball(1e6))));
}
