// One exception for each kind of fault, and the version of headers and library.
#include <doctest/doctest.h>
#include <plaudit/certificate.hpp>
#include <plaudit/plaudit.hpp>
#include <string>

using namespace plaudit;

TEST_CASE("each kind of fault has its class") {
  CHECK_THROWS_AS(parse("gaussian(sigma=-1)"), SpecError);
  CHECK_THROWS_AS(epsilon(parse("gaussian(1)"), "2"), std::invalid_argument);
  CHECK_THROWS_AS(epsilon(parse("gaussian(1)"), "1e-5", {.accountant = "laplace_sum"}),
                  NotApplicable);
  const Band band = epsilon(parse("gaussian(1)"), "1e-5");
  for (const int digits : {0, -1}) {
    CHECK_THROWS_AS(band.lower_decimal(digits), SpecError);
    CHECK_THROWS_AS(band.upper_decimal(digits), SpecError);
  }
  CHECK(band.lower_decimal(2) == "4.3");
  CHECK(band.upper_decimal(2) == "4.4");
  for (const int digits : {0, -1, 10001, 2147483647}) {
    CHECK_THROWS_AS(epsilon(parse("gaussian(1)"), "1e-5", {.digits = digits}), SpecError);
  }
}

TEST_CASE("headers and library have one version") {
  CHECK(version() == std::to_string(PLAUDIT_VERSION_MAJOR) + "." +
                         std::to_string(PLAUDIT_VERSION_MINOR) + "." +
                         std::to_string(PLAUDIT_VERSION_PATCH));
}
