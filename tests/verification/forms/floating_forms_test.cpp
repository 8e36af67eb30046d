// The closed forms in doubles against those by intervals, which share only the reading of the spec.
#include "verification/forms/floating_forms.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "support/random.hpp"
#include "support/reference_table.hpp"
#include "support/slow.hpp"
#include "verification/forms/closed_forms.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::string number(Random& random, double low, double high) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", std::exp(random.uniform(std::log(low), std::log(high))));
  return text;
}

std::string random_run(Random& random) {
  const std::string sigma = number(random, 0.2, 30);
  const std::string steps = std::to_string(random.integer(1, 3000));
  switch (random.integer(0, 5)) {
    case 0:
      return "gaussian(sigma=" + sigma + ")^" + steps;
    case 1:
      return "poisson(gaussian(sigma=" + sigma + "), rate=" + number(random, 1e-6, 0.9) + ")";
    case 2:
      return "laplace(scale=" + sigma + ")";
    case 3:
      return "pure(epsilon=" + number(random, 1e-3, 1) + ")^" + steps;
    case 4:
      return "approximate(epsilon=" + number(random, 1e-3, 1) + ", delta=1e-5)^" + steps;
    default:
      return "group(poisson(gaussian(sigma=" + sigma +
             "), rate=0.1), size=" + std::to_string(random.integer(1, 9)) + ")";
  }
}

}  // namespace

TEST_CASE("closed forms in doubles: within their tolerance of those by intervals") {
  Random random(20261123);
  int compared = 0;
  int sharp = 0;
  const int runs = trials(usually(600, 2000));
  for (int i = 0; i < runs; ++i) {
    const std::string spec = random_run(random);
    const Direction direction = random.one_in(2) ? Direction::add : Direction::remove;
    const Rational epsilon =
        exactly(random.one_in(4) ? random.uniform(-2, 0) : std::exp(random.uniform(-6, 4)));
    INFO(spec, " ", std::string(name_of(direction)), " ", estimate(epsilon));
    const auto floating = floating_form_delta(spec, direction, epsilon);
    const auto closed = closed_form_delta(spec, direction, epsilon);
    if (!floating || !closed || !closed->is_finite()) continue;
    ++compared;
    const double truth = closed->estimate();
    CHECK(std::fabs(floating->value - truth) <= floating->tolerance + 1e-14 * truth);
    if (floating->tolerance < 1e-9 * truth) ++sharp;
  }
  CHECK(compared > runs / 2);
  CHECK(sharp > compared / 4);
}

TEST_CASE("closed forms in doubles: a value that is wrong is outside of the bands") {
  // the tolerance is far below a part in a million, where the difference does not cancel
  const auto found = floating_form_delta("gaussian(sigma=1)", Direction::remove, 1);
  REQUIRE(found.has_value());
  CHECK(std::fabs(found->value - 0.1269367375066439) <= found->tolerance);
  CHECK(found->tolerance < 1e-13);
  CHECK_FALSE(floating_form_delta("laplace(scale=1)^2", Direction::remove, 1).has_value());
}

TEST_CASE("closed forms in doubles: one step of mixtures against mpmath") {
  int checked = 0;
  for (const auto& row : reference_table("one_step.tsv")) {
    INFO(row[0], " ", row[1], " ", row[2]);
    const Direction direction = row[1] == "add" ? Direction::add : Direction::remove;
    const auto found = floating_form_delta(row[0], direction, parse_rational(row[2]));
    if (!found) continue;
    ++checked;
    const double truth = estimate(parse_rational(row[3]));
    CHECK(std::fabs(found->value - truth) <= found->tolerance + 1e-15 * truth);
  }
  CHECK(checked > 40);
}
