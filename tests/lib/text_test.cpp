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

TEST_CASE("the same name but for capitals") {
  CHECK(same_name("Sigma", {"rate", "sigma"}) == "sigma");
  CHECK(same_name("sigma", {"Sigma", "sigma"}) == "sigma");
  CHECK(same_name("SIGMA", {"Sigma", "sigma"}).empty());  // which one?
  CHECK(same_name("sigm", {"sigma"}).empty());
  CHECK(same_name("", {"sigma"}).empty());
  CHECK(lower_case("\xc3\x84 I_Z") == "\xc3\x84 i_z");
}

TEST_CASE("the nearest name") {
  const std::vector<std::string_view> known = {"sigma", "sensitivity", "gaussian", "q"};
  CHECK(nearest_name("sigm", known) == "sigma");
  CHECK(nearest_name("sgima", known) == "sigma");  // two neighbours swapped
  CHECK(nearest_name("SIGMAS", known) == "sigma");
  CHECK(nearest_name("sens", known) == "sensitivity");  // its beginning
  CHECK(nearest_name("gauss", known) == "gaussian");
  CHECK(nearest_name("se", known).empty());
  CHECK(nearest_name("x", known).empty());
  CHECK(nearest_name("clip", known).empty());
  CHECK(nearest_name("", known).empty());
  CHECK(nearest_name("sigma", {}).empty());
  CHECK(nearest_name(std::string(100'000, 's'), known).empty());
  CHECK(nearest_name("delt", {"delta", "belt"}) == "delta");  // the first of equals
  CHECK(did_you_mean("sigm", known) == " (did you mean sigma?)");
  CHECK(did_you_mean("clip", known).empty());
}
