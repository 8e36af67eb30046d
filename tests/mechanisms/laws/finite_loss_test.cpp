// Laws with finitely many atoms, discrete Laplace noise, and Poisson samples of mechanisms that are
// not Gaussian: against sums over the outcomes and closed forms.
#include "mechanisms/laws/finite_loss.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "mechanisms/laws/laplace_loss.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/outcomes.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

void check_law(const PrivacyLoss& law, const Outcomes& pair, Random& random) {
  CHECK(overlaps(law.log_mgf(Ball(0)), Ball(0)));
  for (int i = 0; i < 8; ++i) {
    const Ball x(random.uniform(-2, 2));
    CHECK_OVERLAPS(law.delta(x), direct_delta(pair, x));
    CHECK_WIDTH_BELOW(law.delta(x) + Ball(1), 1e-40);
    CHECK_OVERLAPS(law.p_above(x) - exp(x) * law.q_above(x), direct_delta(pair, x));
    const Ball t(random.uniform(-4, 6));
    const Ball expected = direct_log_mgf(pair, t);
    CHECK_OVERLAPS(law.log_mgf(t), expected);
    CHECK_OVERLAPS(law.log_mgf(ComplexBall(t)).real(), expected);
    CHECK(std::fabs(law.estimate_cumulant(t.estimate()).value - expected.estimate()) < 1e-9);
  }
}

}  // namespace

TEST_CASE("discrete Laplace and its samples against sums over the outcomes") {
  Random random(71);
  const PrecisionScope scope(200);
  for (int i = 0; i < trials(20); ++i) {
    const Rational scale = Rational(random.integer(1, 60), 10);
    const long sensitivity = random.integer(1, 7);
    const std::string base = "discrete_laplace(scale=" + to_string(scale) +
                             ", sensitivity=" + std::to_string(sensitivity) + ")";
    INFO(base);
    const Outcomes pair = discrete_laplace(scale, sensitivity);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      check_law(*step_loss(base, direction), pair, random);
      const Rational rate(random.integer(1, 99), 100);
      check_law(*step_loss("poisson(" + base + ", rate=" + to_string(rate) + ")", direction),
                sampled(pair, rate, direction), random);
    }
  }
}

TEST_CASE("discrete Laplace of sensitivity 1 is randomised response") {
  const PrecisionScope scope(200);
  const auto law = step_loss("discrete_laplace(scale=4)", Direction::remove);
  const Ball a(0.25);
  CHECK_OVERLAPS(law->p_above(Ball(0)), Ball(1) / (Ball(1) + exp(-a)));
  CHECK_OVERLAPS(law->delta(Ball(0)), (Ball(1) - exp(-a)) / (Ball(1) + exp(-a)));
  CHECK(law->delta(a).is_exact_zero());
  CHECK(law->p_above(a).is_exact_zero());
  CHECK_OVERLAPS(law->p_atom(-a), exp(-a) / (Ball(1) + exp(-a)));
}

TEST_CASE("rate 1 changes nothing, and a sample of a sample is one sample") {
  const PrecisionScope scope(160);
  for (const std::string base : {"laplace(scale=2)", "discrete_laplace(scale=2, sensitivity=3)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto plain = step_loss(base, direction);
      const auto whole = step_loss("poisson(" + base + ", rate=1)", direction);
      const auto twice =
          step_loss("poisson(poisson(" + base + ", rate=0.4), rate=0.25)", direction);
      const auto once = step_loss("poisson(" + base + ", rate=0.1)", direction);
      // a rate next to 1 must give next to the same
      const auto near = step_loss(
          "poisson(" + base + ", rate=" + to_string(1 - Rational(1, pow(Integer(10), 40))) + ")",
          direction);
      for (const double x : {-0.4, -0.01, 0.0, 0.02, 0.3}) {
        const Ball epsilon(x);
        CHECK_OVERLAPS(plain->delta(epsilon), whole->delta(epsilon));
        CHECK_OVERLAPS(twice->delta(epsilon), once->delta(epsilon));
        CHECK_OVERLAPS(near->delta(epsilon), widened(plain->delta(epsilon), Ball(1e-38)));
        CHECK_OVERLAPS(near->log_mgf(epsilon), widened(plain->log_mgf(epsilon), Ball(1e-37)));
        CHECK_WIDTH_BELOW(once->delta(epsilon) + Ball(1), 1e-30);
      }
    }
  }
}

TEST_CASE("sampled Laplace: moments of integer order are those of the base") {
  const PrecisionScope scope(160);
  const LaplaceLoss base(Rational(3, 2));
  const Rational rate(1, 10);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto law = base.sampled(rate, direction);
    CHECK_CONTAINS(law->log_mgf(Ball(0)), 0);
    CHECK_CONTAINS(law->log_mgf(Ball(-1)), 0);
    for (int n = 0; n <= 6; ++n) {
      Ball expected;  // sum_j C(n, j) (1-g)^(n-j) g^j E_Q[e^(j l)]
      Ball binomial(1);
      for (int j = 0; j <= n; ++j) {
        expected += binomial * power(Ball(Rational(1 - rate)), static_cast<std::uint64_t>(n - j)) *
                    power(Ball(rate), static_cast<std::uint64_t>(j)) *
                    exp(base.log_mgf(Ball(j - 1)));
        binomial = binomial * Ball(n - j) / Ball(j + 1);
      }
      const Ball t(direction == Direction::remove ? n - 1 : -n);
      CHECK_OVERLAPS(law->log_mgf(t), log(expected));
      CHECK_WIDTH_BELOW(exp(law->log_mgf(t)), 1e-40);
      CHECK(std::fabs(law->estimate_cumulant(t.estimate()).value - log(expected).estimate()) <
            1e-8);
    }
    // a complex moment by splitting the density: M is analytic, so a circle of values has its mean
    const int points = 64;
    ComplexBall mean;
    for (int k = 0; k < points; ++k) {
      const Ball angle = ldexp(pi(), 1) * Ball(k) / Ball(points);
      mean +=
          exp(law->log_mgf(ComplexBall(Ball(2) + ldexp(cos(angle), -2), ldexp(sin(angle), -2))));
    }
    mean = mean * ComplexBall(Ball(Rational(1, points)));
    CHECK_OVERLAPS(mean.real(), widened(exp(law->log_mgf(Ball(2))), Ball(1e-30)));
  }
}

TEST_CASE("sampled Laplace: delta, tails and density fit together") {
  Random random(72);
  const PrecisionScope scope(128);
  for (int i = 0; i < trials(20); ++i) {
    const LaplaceLoss base(Rational(random.integer(1, 40), 10));
    const Rational rate(random.integer(1, 99), 100);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto law = base.sampled(rate, direction);
      const Ball x(random.uniform(law->least_loss().estimate(), law->greatest_loss().estimate()));
      CHECK_OVERLAPS(law->delta(x), law->p_above(x) - exp(x) * law->q_above(x));
      const double h = 1e-6;
      const double slope =
          (law->p_above(x - Ball(h)) - law->p_above(x + Ball(h))).estimate() / (2 * h);
      CHECK(std::fabs(law->density(x)->estimate() - slope) < 1e-5 * (1 + slope));
      const double q_slope =
          (law->q_above(x - Ball(h)) - law->q_above(x + Ball(h))).estimate() / (2 * h);
      CHECK(std::fabs(law->density(x)->estimate() * std::exp(-x.estimate()) - q_slope) <
            1e-5 * (1 + q_slope));
      const Ball far = law->greatest_loss() + Ball(0.001);
      CHECK(law->p_above(far).is_exact_zero());
      CHECK(law->delta(far).is_exact_zero());
      CHECK(contains(law->p_above(law->least_loss() - Ball(0.001)), Ball(1)));
    }
  }
}
