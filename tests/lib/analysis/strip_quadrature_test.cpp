#include "lib/analysis/strip_quadrature.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

namespace {

/// h sum over |j| <= count of f(j h).
template <class Function>
Ball trapezoid(Function&& f, double h, long count) {
  Ball sum;
  for (long j = -count; j <= count; ++j) sum += f(Ball(h) * Ball(j));
  return Ball(h) * sum;
}

}  // namespace

TEST_CASE("the error of the rule for e^{-x^2} is within the bound, and the bound is not loose") {
  // F(x + i v) has modulus e^{v^2 - x^2}: N(v) = N(-v) = sqrt(pi) e^{v^2}, for every v
  const PrecisionScope scope(400);
  Random random(61);
  const Ball exact = sqrt(pi());
  for (int i = 0; i < trials(40); ++i) {
    const double h = random.uniform(0.3, 2);
    const double v = random.uniform(0.05, 8);
    const Ball norm = exact * exp(square(Ball(v)));
    const Ball bound = strip_trapezoid_error(norm, norm, Ball(v), Ball(h));
    const Ball error =
        abs(trapezoid([](const Ball& x) { return exp(-square(x)); }, h, static_cast<long>(16 / h)) -
            exact);
    CAPTURE(h);
    CAPTURE(v);
    CHECK(certainly_less(error, bound));
  }
  for (const double h : {0.4, 0.8, 1.5}) {
    const Ball v = pi() / Ball(h);  // the best v
    const Ball norm = exact * exp(square(v));
    const Ball bound = strip_trapezoid_error(norm, norm, v, Ball(h));
    const Ball error = abs(trapezoid([](const Ball& x) { return exp(-square(x)); }, h, 45) - exact);
    CHECK(certainly_greater(error * Ball(1.1), bound));
  }
}

TEST_CASE("the same for 1 / cosh x, which has poles at +-i pi / 2") {
  // |cosh(x + i v)| >= cosh x cos v: N(v) <= pi / cos v
  const PrecisionScope scope(200);
  for (const double h : {0.5, 1.0, 2.0}) {
    const Ball error = abs(
        trapezoid([](const Ball& x) { return Ball(1) / cosh(x); }, h, static_cast<long>(120 / h)) -
        pi());
    for (const double v : {0.1, 0.5, 1.0, 1.4, 1.55}) {
      const Ball norm = pi() / cos(Ball(v));
      CHECK(certainly_less(error, strip_trapezoid_error(norm, norm, Ball(v), Ball(h))));
    }
  }
}

TEST_CASE("no bound without a strip and a step") {
  for (const Ball& bad : {Ball(0), Ball(-1), widened(Ball(0), Ball(1)), Ball(std::nan(""))}) {
    CHECK_FALSE(strip_trapezoid_factor(bad, Ball(1)).is_finite());
    CHECK_FALSE(strip_trapezoid_factor(Ball(1), bad).is_finite());
  }
}

TEST_CASE("the step for a given accuracy") {
  const PrecisionScope scope(64);
  const double h = strip_step(1.5, 40);
  CHECK(std::fabs(strip_trapezoid_factor(Ball(1.5), Ball(h)).estimate_log() + 40) < 0.1);
}

TEST_CASE("edges of a strip are exact doubles or refused") {
  CHECK(exact_sum(1, 0.5) == 1.5);
  CHECK(exact_sum(0.75, -0.5) == 0.25);
  CHECK_THROWS_AS(exact_sum(1, 0x1p-60), std::domain_error);
  CHECK_THROWS_AS(exact_sum(-0.1, 0x1p-60), std::domain_error);
  CHECK_THROWS_AS(exact_sum(1e308, 1e308), std::domain_error);
}
