#include "lib/analysis/upper_exponential.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

void check_near(double x) {
  INFO("x = ", x);
  const PrecisionScope scope(128);
  const Ball exact = exp(Ball(x));
  const Ball bound(upper_exponential(x));
  CHECK(certainly_less_equal(exact, bound));
  CHECK(certainly_less_equal(bound, exact * (Ball(1) + Ball(1e-7))));
}

}  // namespace

TEST_CASE("exponentials from above, and hardly more") {
  Random random(61);
  for (const double x : {0.0, -0.0, 1e-300, -1e-300, 700.0, -700.0, 0.5, -0.5}) check_near(x);
  for (int k = -1009; k <= 1009; ++k) {  // where the rounding to an integer turns
    const double turn = (k + 0.5) * std::log(2.0);
    for (const double x : {turn, std::nextafter(turn, 1e9), std::nextafter(turn, -1e9)}) {
      if (std::fabs(x) <= 700) check_near(x);
    }
  }
  for (int i = 0; i < trials(2000); ++i) {
    check_near(random.uniform(-700, 700));
    check_near(random.uniform(-1, 1));
  }
}

TEST_CASE("exponentials beyond the range of binary64") {
  CHECK(upper_exponential(-1e300) == upper_exponential(-700));
  CHECK(upper_exponential(-HUGE_VAL) == upper_exponential(-700));
  CHECK(upper_exponential(700.1) == HUGE_VAL);
  CHECK(upper_exponential(HUGE_VAL) == HUGE_VAL);
  CHECK(upper_exponential(std::numeric_limits<double>::quiet_NaN()) == HUGE_VAL);
}
