// Several mechanisms on one sample: products of finite laws written out, and Gaussians together.
#include <doctest/doctest.h>

#include <cmath>

#include "lib/exact/square_root.hpp"
#include "mechanisms/laws/exact_law.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("joint: a sample of two randomized answers, by the table of their outcomes") {
  const double q = 0.25;
  const double a = std::exp(0.5) / (1 + std::exp(0.5));
  const double b = std::exp(1.25) / (1 + std::exp(1.25));
  const double p[4] = {a * b, a * (1 - b), (1 - a) * b, (1 - a) * (1 - b)};
  const double none[4] = {(1 - a) * (1 - b), (1 - a) * b, a * (1 - b), a * b};
  const std::string spec = "poisson(joint(pure(0.5), pure(1.25)), 0.25)";
  for (const double eps : {-0.5, -0.05, 0.0, 0.1, 0.5}) {
    double remove = 0;
    double add = 0;
    for (int i = 0; i < 4; ++i) {
      remove += std::max(0.0, (1 - q) * none[i] + q * p[i] - std::exp(eps) * none[i]);
      add += std::max(0.0, p[i] - std::exp(eps) * ((1 - q) * p[i] + q * none[i]));
    }
    CHECK(step_loss(spec)->delta(Ball(eps)).estimate() == doctest::Approx(remove).epsilon(1e-12));
    CHECK(step_loss(spec, Direction::add)->delta(Ball(eps)).estimate() ==
          doctest::Approx(add).epsilon(1e-12));
  }
}

TEST_CASE("joint: without a sample it is the composition") {
  const PrecisionScope scope(100);
  for (const auto& [one, other] :
       {std::pair{"pure(0.5)", "approximate(0.25, 0.01)"},
        {"discrete_laplace(scale=2, sensitivity=3)", "approximate(1, 0.1)"},
        {"gaussian(3)", "gaussian(2, 1/2)"}}) {
    const auto together = step_loss(std::string("joint(") + one + ", " + other + ")");
    const auto a = step_loss(one);
    const auto b = step_loss(other);
    if (a->facts().gaussian_mean) {
      // 1/9 + 1/16 = (5/12)^2
      CHECK(together->facts().gaussian_mean ==
            *a->facts().gaussian_mean + *b->facts().gaussian_mean);
      continue;
    }
    for (const double t : {-1.0, 0.0, 0.5, 3.0}) {
      CHECK_OVERLAPS(together->log_mgf(Ball(t)), a->log_mgf(Ball(t)) + b->log_mgf(Ball(t)));
    }
    CHECK_OVERLAPS(together->mass_at_infinity(),
                   Ball(1) - (Ball(1) - a->mass_at_infinity()) * (Ball(1) - b->mass_at_infinity()));
    CHECK(together->exact_law()->atoms.size() ==
          a->exact_law()->atoms.size() * b->exact_law()->atoms.size());
  }
  CHECK_OVERLAPS(step_loss("poisson(joint(gaussian(3), gaussian(2, 1/2)), 0.1)")->delta(Ball(0.1)),
                 step_loss("poisson(gaussian(12, 5), 0.1)")->delta(Ball(0.1)));
}

TEST_CASE("joint: forms and refusals") {
  const std::string spec =
      "poisson(joint(pure(epsilon=0.5), joint(pure(epsilon=1), "
      "discrete_laplace(scale=2))), rate=0.1)^3";
  CHECK(parse_spec(spec).spec() == spec);
  CHECK(parse_spec("joint(pure(1), pure(1))").adjacency() == Adjacency{});
  for (const char* refused :
       {"joint(gaussian(1), approximate(1, 0.1))",

        "joint(laplace(1), pure(1))",
        "joint(pure(1))",
        "joint(gaussian(1), discrete_gaussian(1))",
        "joint(gaussian(1), zcdp(1))",
        "poisson(joint(randomized_response(1), pure(1)), 0.1)",
        "poisson(joint(matrix([[1]], 1), gaussian(1)), 0.1)",
        "poisson(joint(gaussian(1), gaussian(1)), 0.1, replace)",
        "group(poisson(gaussian(variance=2), 0.1), 2)",
        "random_allocation(gaussian(variance=2), 2)",
        "without_replacement(gaussian(variance=2), 2, 9, add_remove)",
        "truncated_poisson(gaussian(variance=2), 0.1, 5, 20)",
        "with_replacement(gaussian(variance=2), 2, 9)",
        "poisson(gaussian(variance=2), 0.1, replace)",
        "joint(poisson(gaussian(1), 0.1), gaussian(1))",
        "joint(poisson(pure(1), 0.1), pure(1))",
        "joint(discrete_gaussian(1), pure(1))",
        "joint(zcdp(1), pure(1))",
        "joint(discrete_laplace(1, 100), discrete_laplace(1, 100))",
        "poisson(joint(gaussian(3), gaussian(2, 1/2)), 0.1, replace)",
        "truncated_poisson(joint(gaussian(3), gaussian(2, 1/2)), 0.1, 5, 20)",
        "group(poisson(joint(gaussian(3), gaussian(2, 1/2)), 0.1), 2)",
        "group(joint(gaussian(3), gaussian(2, 1/2)), 2)",
        "without_replacement(joint(gaussian(3), gaussian(2, 1/2)), 2, 9, add_remove)",
        "with_replacement(joint(gaussian(3), gaussian(2, 1/2)), 2, 9)",
        "random_allocation(joint(gaussian(3), gaussian(2, 1/2)), 2)",
        "poisson(joint(gaussian(noise_multiplier=3), gaussian(2, 1/2)), 0.1, replace)"}) {
    CHECK_MESSAGE(refusal_of(refused) != "", refused);
  }
}

TEST_CASE("roots of rationals") {
  CHECK(rational_root(Rational(25, 144)) == Rational(5, 12));
  CHECK(!rational_root(Rational(1, 2)));
  for (const Rational& square : {Rational(2), Rational(1, 3), Rational(1000001, 7)}) {
    CHECK(root_above(square) * root_above(square) > square);
    CHECK(root_below(square) * root_below(square) <= square);
    CHECK(root_above(square) - root_below(square) < Rational(1, 1000000));
  }
}
