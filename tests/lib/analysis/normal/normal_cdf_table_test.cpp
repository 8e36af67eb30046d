// The tabulated normal distribution function against Arb's own: few bits, so that the remainder of
// the series carries the width, and balls wider than the series' reach.
#include "lib/analysis/normal/normal_cdf_table.hpp"

#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

TEST_CASE("values at points: the remainder is needed and holds") {
  Random random(36);
  for (int i = 0; i < trials(300); ++i) {
    const double y = random.uniform(-12, 12);
    Ball value;
    {
      const PrecisionScope scope(96);
      NormalCdfTable table(random.integer(4, 40));
      table.at(Ball(y));  // by erfc: a series is made for the second point
      value = table.at(Ball(y));
    }
    const PrecisionScope scope(200);
    CAPTURE(y);
    CHECK_OVERLAPS(value, normal_cdf(Ball(y)));
  }
}

TEST_CASE("a ball wider than the reach of the series") {
  Random random(37);
  for (int i = 0; i < trials(200); ++i) {
    const PrecisionScope scope(80);
    const double y = random.uniform(-6, 6);
    const double radius = std::exp(random.uniform(-8, 1));
    NormalCdfTable table(random.one_in(2) ? 6 : 0);
    table.at(Ball(y));  // by erfc: a series is made for the second point
    const Ball value = table.at(widened(Ball(y), Ball(radius)));
    CAPTURE(y);
    CAPTURE(radius);
    for (const double at : {-1.0, -0.3, 0.4, 1.0}) {
      CHECK_OVERLAPS(value, normal_cdf(Ball(y) + Ball(at) * Ball(radius)));
    }
  }
}
