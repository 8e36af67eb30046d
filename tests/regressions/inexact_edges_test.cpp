// The edges eta + v and eta - v of a strip, at which norms bound the error of a quadrature, were
// sums of doubles taken for exact: where the two are of very different sizes the sum is rounded,
// and the norm was that of another height.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/exact/rational.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;

TEST_CASE("an edge is exact or refused") {
  CHECK(exact_sum(0.75, 0.25) == 1);
  CHECK(exact_sum(1, 0x1p-52) == 1 + 0x1p-52);
  CHECK(exact_sum(0.5, -0.5) == 0);
  CHECK_THROWS_AS(exact_sum(1, 0x1p-53), std::domain_error);
  CHECK_THROWS_AS(exact_sum(0x1p-60, 3), std::domain_error);
  CHECK_THROWS_AS(exact_sum(1e308, 1e308), std::domain_error);
  CHECK_THROWS_AS(exact_sum(std::nan(""), 1), std::domain_error);
  std::mt19937_64 random(15);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto draw = [&] {
      const double mantissa = static_cast<double>(random() >> (11 + random() % 40));
      return std::ldexp(random() % 2 == 0 ? mantissa : -mantissa, static_cast<int>(random() % 80));
    };
    const double a = draw();
    const double b = draw();
    const Rational exact = test::exactly(a) + test::exactly(b);
    double sum = a + b;
    try {
      sum = exact_sum(a, b);
    } catch (const std::domain_error&) {
      ++refused;
      CHECK(test::exactly(a + b) != exact);
      continue;
    }
    CHECK(test::exactly(sum) == exact);
  }
  CHECK(refused > 5000);
}
