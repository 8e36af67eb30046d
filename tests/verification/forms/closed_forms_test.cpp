#include "verification/forms/closed_forms.hpp"

#include <doctest/doctest.h>

#include "lib/balls/interval.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/reference_table.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// The closed form lies within two neighbouring decimals of the truth and is narrow.
void check_near(const std::string& spec, Direction direction, const char* epsilon, const char* low,
                const char* high) {
  INFO(spec, " ", epsilon);
  const auto found = closed_form_delta(spec, direction, parse_rational(epsilon));
  REQUIRE(found.has_value());
  CHECK(parse_rational(low) <= found->exact_lower());
  CHECK(found->exact_upper() <= parse_rational(high));
  CHECK(found->exact_lower() <= found->exact_upper());
}

}  // namespace

TEST_CASE("Gaussians") {
  check_near("gaussian(sigma=1)", Direction::remove, "1", "0.126936737506643945800829624757",
             "0.126936737506643945800829624758");
  // Four steps of sigma 2, one of sigma 1, one with sensitivity 3 and sigma 3: the same law.
  for (const char* same :
       {"gaussian(sigma=2)^4", "gaussian(sigma=3, sensitivity=3)",
        "poisson(gaussian(sigma=1), rate=1)", "group(gaussian(sigma=2), size=2)"}) {
    check_near(same, Direction::add, "1", "0.126936737506643945800829624757",
               "0.126936737506643945800829624758");
  }
}

TEST_CASE("Laplace noise") {
  // 1 - e^(-1/4) at eps = 1/2, mu = 1.
  check_near("laplace(scale=1)", Direction::remove, "0.5", "0.22119921692859513175",
             "0.22119921692859513176");
  check_near("laplace(scale=2)", Direction::add, "0.5", "0", "0");
  check_near("laplace(scale=1)", Direction::remove, "-3", "0.95021293163213605",
             "0.95021293163213606");
}

TEST_CASE("sums of Laplace noise and of bounded range, against integrals of mpmath") {
  check_near("laplace(scale=1)^2", Direction::remove, "0.5", "0.350495989981104777685185992453",
             "0.350495989981104777685185992454");
  check_near("bounded_range(epsilon=1)^2", Direction::add, "0.5",
             "0.170981095448173389518651549459", "0.170981095448173389518651549460");
}

TEST_CASE("two-point losses") {
  // Truthful with probability 3/4: odds 3. One step at eps = 0: 3/4 - 1/4; two steps: 9/16 - 1/16.
  check_near("randomized_response(probability=3/4)", Direction::remove, "0", "0.4999999999999999",
             "0.5000000000000001");
  check_near("randomized_response(probability=3/4)^2", Direction::remove, "0", "0.4999999999999999",
             "0.5000000000000001");
  check_near("approximate(epsilon=0, delta=0.01)^2", Direction::add, "0", "0.0198999999999999",
             "0.0199000000000001");
  check_near("pure(epsilon=1)^3", Direction::remove, "3", "0", "1e-50");
  // k = 2: (e^2 - e^eps) / (1 + e)^2 at eps = 1.
  check_near("pure(epsilon=1)^2", Direction::remove, "1", "0.337834712147041174",
             "0.337834712147041175");
}

TEST_CASE("what has no closed form is left alone") {
  for (const char* spec :
       {"laplace(scale=1)^100", "poisson(gaussian(sigma=1), rate=0.1)^2",
        "gaussian(sigma=1) * laplace(scale=1)", "zcdp(rho=0.1)",
        "random_allocation(gaussian(sigma=1), steps=4)",
        "group(poisson(gaussian(sigma=1), rate=0.1, adjacency=replace), size=2)"}) {
    CHECK_FALSE(closed_form_delta(spec, Direction::remove, 1).has_value());
  }
}

TEST_CASE("one step of a mixture where the event is empty or everything") {
  const std::string spec = "poisson(gaussian(sigma=1), rate=0.1)";  // L > log 0.9, remove
  check_near(spec, Direction::remove, "-0.2", "0.18126924692201", "0.18126924692202");
  check_near(spec, Direction::add, "0.2", "0", "0");
}

TEST_CASE("one step of mixtures against 42 digits of mpmath") {
  const PrecisionScope scope(300);
  int checked = 0;
  for (const auto& row : reference_table("one_step.tsv")) {
    INFO(row[0], " ", row[1], " ", row[2]);
    const Direction direction = row[1] == "add" ? Direction::add : Direction::remove;
    const auto found = closed_form_delta(row[0], direction, parse_rational(row[2]));
    if (!found) continue;
    ++checked;
    const Ball band = hull(exact_ball(found->lower()), exact_ball(found->upper()));
    CHECK_OVERLAPS(band, printed(row[3], 41));
    if (certainly_positive(band)) CHECK_WIDTH_BELOW(band, 1e-15);
  }
  CHECK(checked > 50);
}
