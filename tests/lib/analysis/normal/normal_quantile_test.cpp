// The normal quantile: its values give back the probability, whatever tail and precision.
#include "lib/analysis/normal/normal_quantile.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"

using namespace plaudit;

TEST_CASE("Phi of the quantile contains the probability, narrowly") {
  for (const long bits : {100L, 200L, 600L}) {
    const PrecisionScope scope(bits);
    for (const char* text :
         {"1e-300", "1e-20", "1e-3", "0.2", "0.49999", "0.5", "0.50001", "0.9", "0.999999999"}) {
      CAPTURE(bits);
      CAPTURE(text);
      const Ball p(parse_rational(text));
      const std::optional<Ball> y = normal_quantile(p);
      REQUIRE(y.has_value());
      CHECK(overlaps(normal_cdf(*y), p));
      CHECK(y->radius_double() < 1e-12);
      // Beside it, on either side, the probability is certainly another.
      CHECK(certainly_less(normal_cdf(y->lower() - Ball(1e-6)), p));
      CHECK(certainly_less(p, normal_cdf(y->upper() + Ball(1e-6))));
    }
  }
}

TEST_CASE("what is no probability has no quantile") {
  for (const double p : {0.0, 1.0, -0.1, 1.5}) CHECK(!normal_quantile(Ball(p)));
  CHECK(!normal_quantile(hull(Ball(0), Ball(0.5))));
  CHECK(!normal_quantile(positive_infinity()));
}
