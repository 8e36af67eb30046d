// Group privacy by Vadhan's lemma against the exact curve of the group.
#include <doctest/doctest.h>

#include "accountants/registry.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/random_specs.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure delta_of(const char* name, const std::string& spec, Direction direction,
                   const Rational& epsilon) {
  return accountant(name)->open(loss_from(spec, direction), {12})->delta(epsilon);
}
Enclosure epsilon_of(const char* name, const std::string& spec, Direction direction,
                     const char* delta) {
  return accountant(name)->open(loss_from(spec, direction), {12})->epsilon(parse_rational(delta));
}

constexpr const char* one = "poisson(gaussian(sigma=1), rate=0.01)";

std::string group_of(const std::string& mechanism, int size, int steps) {
  return "group(" + mechanism + ", size=" + std::to_string(size) + ")^" + std::to_string(steps);
}

}  // namespace

TEST_CASE("Vadhan's lemma is the formula, with the contour's delta of one record") {
  const PrecisionScope scope(200);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const int size : {1, 2, 5}) {
      const Enclosure bound =
          delta_of("vadhan_group", group_of(one, size, 1000), direction, Rational(3, 2) * size);
      const Enclosure single =
          delta_of("contour", std::string(one) + "^1000", direction, Rational(3, 2));
      const Ball factor = expm1(Ball(size) * Ball(1.5)) / expm1(Ball(1.5));
      CHECK_OVERLAPS(widened(bound.upper, bound.upper * Ball(1e-12)),
                     factor * hull(single.lower, single.upper));
      CHECK(certainly_less_equal(factor * single.lower, bound.upper));
    }
  }
}

TEST_CASE("Vadhan's lemma as published is k e^(k eps) times the delta of one record") {
  const PrecisionScope scope(200);
  for (const int size : {1, 2, 9}) {
    const std::string group = group_of(one, size, 1000);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Enclosure bound =
          delta_of("vadhan_group(mode=published)", group, direction, Rational(5, 2) * size);
      const Enclosure single =
          delta_of("contour", std::string(one) + "^1000", direction, Rational(5, 2));
      const Ball factor = Ball(size) * exp(Ball(size) * Ball(2.5));
      const Ball wanted = min(Ball(1), factor * hull(single.lower, single.upper));
      CHECK_OVERLAPS(widened(bound.upper, bound.upper * Ball(1e-12)), wanted);
      CHECK(certainly_less_equal(wanted.lower(), bound.upper));
    }
    CHECK(delta_of("vadhan_group(mode=published)", group, Direction::remove, -1).upper.estimate() ==
          1);  // not where the lemma does not speak
  }
}

TEST_CASE("Vadhan's lemma where the delta of one record is far below any double") {
  const PrecisionScope scope(200);
  const std::string single = std::string(one) + "^2000";
  for (const int size : {8, 9, 10, 16}) {
    for (const bool published : {false, true}) {
      const char* name = published ? "vadhan_group(mode=published)" : "vadhan_group";
      const Enclosure bound =
          epsilon_of(name, group_of(one, size, 2000), Direction::remove, "1e-6");
      REQUIRE(bound.upper.is_finite());
      const auto factor = [&](const Ball& eps) {
        return published ? Ball(size) * exp(Ball(size) * eps)
                         : expm1(Ball(size) * eps) / expm1(eps);
      };
      // The lemma's condition holds there, and no longer a little before.
      const Rational at = exact_rational(bound.upper) / size;
      const Rational before = at * Rational(999999, 1000000);
      const Ball goal(parse_rational("1e-6"));
      INFO(size, " ", std::string(name), " ", show(bound));
      CHECK(certainly_less_equal(
          delta_of("contour", single, Direction::remove, at).upper * factor(Ball(at)), goal));
      CHECK(certainly_greater(
          delta_of("contour", single, Direction::remove, before).lower * factor(Ball(before)),
          goal));
    }
  }
  // Gaussian noise: -(eps - mu)^2 / (4 mu) + k eps is about 0 at 4 mu k, mu = 5e5.
  const Enclosure noise =
      epsilon_of("vadhan_group(mode=published)", group_of("gaussian(sigma=1)", 500, 1000000),
                 Direction::remove, "1e-6");
  CHECK(noise.upper.estimate() == doctest::Approx(500.0 * 4 * 5e5 * 500).epsilon(0.002));
}

TEST_CASE("Vadhan's lemma at a delta just below its bound at epsilon 0") {
  const PrecisionScope scope(400);
  const std::string group = group_of(one, 2, 1000);
  for (const char* name : {"vadhan_group", "vadhan_group(mode=published)"}) {
    const Enclosure at_zero = delta_of(name, group, Direction::remove, 0);
    REQUIRE(certainly_less(at_zero.upper, Ball(1)));
    const Rational delta =
        exact_rational(at_zero.upper) * parse_rational("0.999999999999999999999");
    const Enclosure found =
        accountant(name)->open(loss_from(group, Direction::remove), Goal{12})->epsilon(delta);
    CHECK(certainly_positive(found.upper));
    CHECK(certainly_less(found.upper, Ball(1e-9)));
  }
}

TEST_CASE("Vadhan's lemma lies above the exact curve of the group") {
  Random random(83);
  int finite = 0;
  for (int i = 0; i < trials(8); ++i) {
    std::string base = "gaussian(sigma=" + between(random, 5, 30) + ")";
    if (!random.one_in(4)) {
      const std::string sampled = "gaussian(sigma=" + between(random, 0.8, 3) + ")";
      base = random.one_in(3)
                 ? "without_replacement(" + sampled + ", 10, 1000, adjacency=add_remove)"
                 : "poisson(" + sampled + ", rate=" + between(random, 0.005, 0.1) + ")";
    }
    const std::string spec = group_of(base, static_cast<int>(random.integer(1, 4)),
                                      static_cast<int>(random.integer(100, 1000)));
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const Enclosure truth = epsilon_of("contour", spec, direction, "1e-5");
    const Enclosure bound = epsilon_of("vadhan_group", spec, direction, "1e-5");
    INFO(spec, " ", show(bound), " ", show(truth));
    CHECK_BANDS_OVERLAP(bound, truth);
    const Rational epsilon = exactly(truth.upper.estimate() * random.uniform(-0.1, 1));
    CHECK_BANDS_OVERLAP(delta_of("vadhan_group", spec, direction, epsilon),
                        delta_of("contour", spec, direction, epsilon));
    if (!bound.upper.is_finite()) continue;
    ++finite;
    // the bound is where the lemma's delta is 1e-5
    const PrecisionScope scope(200);
    const Enclosure back = delta_of("vadhan_group", spec, direction, exact_rational(bound.upper));
    CHECK(std::fabs(std::log(back.upper.estimate() / 1e-5)) < 1e-6);
  }
  CHECK(5 * finite > 2 * trials(8));
}

TEST_CASE("Vadhan's lemma at equality: a group of one") {
  const Enclosure bound =
      epsilon_of("vadhan_group", group_of(one, 1, 1000), Direction::remove, "1e-6");
  const Enclosure truth =
      epsilon_of("contour", std::string(one) + "^1000", Direction::remove, "1e-6");
  CHECK(certainly_less_equal(truth.lower, bound.upper));
  const PrecisionScope scope(128);
  CHECK(((bound.upper - truth.lower) / bound.upper).upper_double() < 1e-9);
}

TEST_CASE("what Vadhan's lemma refuses") {
  const auto refuses = [](const std::string& spec) {
    return accountant("vadhan_group")->refusal(loss_from(spec)).has_value();
  };
  CHECK(refuses(one));
  CHECK(refuses(group_of(one, 2, 5) + " * gaussian(sigma=3)"));
  // Single records and groups of another size do not even compose.
  CHECK_THROWS_AS(parse_spec(group_of(one, 2, 5) + " * " + one), SpecError);
  CHECK_THROWS_AS(parse_spec(group_of(one, 2, 5) + " * " + group_of(one, 3, 5)), SpecError);
  CHECK(refuses("group(without_replacement(gaussian(2), 10, 1000, adjacency=replace), size=2)"));
  CHECK_FALSE(refuses(group_of(one, 2, 5) + " * " + group_of("gaussian(sigma=3)", 2, 7)));
}

TEST_CASE("Vadhan's lemma broken on purpose") {
  const std::string spec = group_of(one, 3, 1000);
  const Enclosure delta = delta_of("contour", spec, Direction::remove, 4);
  const Enclosure epsilon = epsilon_of("contour", spec, Direction::remove, "1e-6");
  const Scaled broken("vadhan_group.hybrids", 0);
  CHECK(misses(delta_of("vadhan_group", spec, Direction::remove, 4), delta.lower));
  CHECK(misses(epsilon_of("vadhan_group", spec, Direction::remove, "1e-6"), epsilon.lower));
  CHECK(misses(delta_of("vadhan_group(mode=published)", spec, Direction::remove, 4), delta.lower));
}
