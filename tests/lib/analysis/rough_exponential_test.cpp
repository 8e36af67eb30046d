// e^x and e^x - 1 of many doubles, against Arb.
#include "lib/analysis/rough_exponential.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("rough exponentials: all but the last bits, for any count") {
  const PrecisionScope scope(128);
  Random random(71);
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<double> x;
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(random.one_in(2) ? random.uniform(-690, 690)
                                   : random.uniform(-1, 1) * std::exp(random.uniform(-40, 0)));
    }
    std::vector<double> power = x;
    std::vector<double> rise = x;
    rough_exp(power);
    rough_expm1(rise);
    for (std::size_t i = 0; i < count; ++i) {
      INFO(x[i]);
      CHECK(std::fabs((Ball(power[i]) / exp(Ball(x[i])) - Ball(1)).estimate()) < 1e-15);
      CHECK(std::fabs((Ball(rise[i]) / expm1(Ball(x[i])) - Ball(1)).estimate()) < 1e-15);
    }
  }
}

TEST_CASE("rough exponentials: nothing overflows") {
  std::vector<double> x{-1e300, -infinity, 1e300, infinity, 0};
  rough_exp(x);
  CHECK(x[0] == x[1]);
  CHECK(x[0] > 0);
  CHECK(x[0] < 1e-300);
  CHECK(x[2] == x[3]);
  CHECK(x[2] > 1e300);
  CHECK(std::isfinite(x[2]));
  CHECK(x[4] == 1);
}
