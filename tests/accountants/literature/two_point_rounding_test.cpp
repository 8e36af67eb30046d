// Two-point laws rounded to a grid: what lies beyond the window, against the exact sum.
#include "accountants/literature/two_point_rounding.hpp"

#include <doctest/doctest.h>

#include "accountants/literature/two_point_sum.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("beyond its window the rounded law is above the exact one") {
  // The window reaches about nine deviations from the mean; at its end the mass beyond is several
  // times that of the last point, and still further out there is nothing else.
  struct Case {
    const char* spec;
    double epsilon;
    double deviation;
  };
  for (const Case& each : {Case{"pure(0.5)^10000", 1225, 50}, Case{"pure(0.25)^10000", 311, 25},
                           Case{"pure(0.5)^5000 * pure(0.25)^5000", 768, 40}}) {
    const ComposedLoss loss = loss_from(each.spec);
    const PrecisionScope scope(256);
    const auto sum = TwoPointSum::affordable(loss);
    REQUIRE(sum);
    const TwoPointRounding rounding(loss, each.epsilon);
    for (double deviations = 8; deviations < 12; deviations += 0.125) {
      const Ball x(each.epsilon + deviations * each.deviation);
      const TwoPointSum::Value exact = sum->delta(x);
      INFO(each.spec, " at ", x.estimate());
      CHECK_BAND_HOLDS(rounding.delta(x), hull(exact.sum, exact.sum + exact.rest));
    }
  }
}
