#include "lib/text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <limits>

using namespace plaudit;

TEST_CASE("doubles in messages: what printf writes in the C locale") {
  for (const double x : {0.0, 1.0, -2.5, 0.1, 1e-5, 123456789.0, 1e300, 5e-324, 0.00012345678,
                         std::numeric_limits<double>::infinity()}) {
    for (const int digits : {3, 4, 6, 13}) {
      char text[64];
      std::snprintf(text, sizeof text, "%.*g", digits, x);
      CHECK(general_text(x, digits) == text);
    }
    CHECK(fixed_text(x) == std::to_string(x));
  }
}
