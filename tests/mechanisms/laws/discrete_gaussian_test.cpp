// Discrete Gaussian noise against plain sums over its outcomes.
#include <doctest/doctest.h>

#include <cmath>

#include "lib/analysis/gaussian_sum.hpp"
#include "lib/balls/error_term.hpp"
#include "mechanisms/laws/discrete_gaussian_loss.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/outcomes.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// What the outcomes beyond the reach of a direct sum may change: far below all precisions here.
const double unseen = 1e-90;

}  // namespace

TEST_CASE("sums of Gaussian weights against plain sums") {
  Random random(81);
  for (int i = 0; i < trials(60); ++i) {
    const long bits = random.integer(64, 300);
    const PrecisionScope scope(bits);
    const double rounded = std::ldexp(1.0, static_cast<int>(24 - bits));
    const Rational v(random.integer(1, 400), random.one_in(3) ? 1000 : 10);
    const double sigma = std::sqrt(estimate(v));
    const ComplexBall c(Ball(random.uniform(-200, 200)),
                        random.one_in(2) ? Ball(0) : Ball(random.uniform(-3, 3) * sigma));
    const long middle = std::lround(c.real().estimate());
    const long reach = 5 + static_cast<long>(40 * sigma);
    ComplexBall direct;
    for (long k = middle - reach; k <= middle + reach; ++k) {
      direct += exp(-square(ComplexBall(Ball(k)) - c) / ComplexBall(Ball(Rational(2 * v))));
    }
    const ComplexBall value = gaussian_sum(c, v);
    INFO("v ", to_string(v), " c ", show(c.real()), " ", show(c.imaginary()));
    CHECK(overlaps(value, widened(direct, Ball(1e-100) * exp(Ball(20)))));
    const Ball scale = exp(square(c.imaginary()) / Ball(Rational(2 * v)));
    CHECK((abs(value - direct) / scale).upper_double() < rounded);
    if (c.imaginary().is_exact_zero()) CHECK_WIDTH_BELOW(value.real(), rounded);
  }
}

TEST_CASE("tails of discrete Gaussian noise against plain sums") {
  Random random(82);
  for (int i = 0; i < trials(40); ++i) {
    const Rational v(random.integer(1, 3000), random.one_in(3) ? 1000 : 10);
    const DiscreteGaussianTails noise(v);
    const PrecisionScope scope(random.integer(64, 250));
    const double sigma = std::sqrt(estimate(v));
    for (const double place : {0.0, 0.5, 1.0, 3.0, 8.0, 40.0}) {
      const long j = std::lround(place * sigma) * (random.one_in(2) ? 1 : -1);
      Ball expected;
      const long last = std::labs(j) + 5 + std::lround(60 * sigma);
      for (long k = std::labs(j) + (j > 0 ? 0 : 1); k < last; ++k) expected += noise.mass(k);
      const Ball end = noise.mass(last);
      if (j <= 0) expected = Ball(1) - expected;
      INFO("v ", to_string(v), " j ", j);
      CHECK_OVERLAPS(noise.tail(j), widened(expected, ldexp(end, 40)));
      CHECK_WIDTH_BELOW(noise.tail(j), 1e-15);
    }
  }
}

TEST_CASE("the law of the loss against sums over the outcomes") {
  Random random(83);
  const PrecisionScope scope(200);
  for (int i = 0; i < trials(12); ++i) {
    const Rational v(random.integer(1, 200), 20);
    const long sensitivity = random.integer(1, 5);
    const std::string spec = "discrete_gaussian(variance=" + to_string(v) +
                             ", sensitivity=" + std::to_string(sensitivity) + ")";
    const Outcomes pair = test::discrete_gaussian(
        v, sensitivity, 20 + static_cast<long>(40 * std::sqrt(estimate(v))));
    const Rational rate(random.integer(1, 99), 100);
    INFO(spec, " rate ", to_string(rate));
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto plain = step_loss(spec, direction);
      const auto sample =
          step_loss("poisson(" + spec + ", rate=" + to_string(rate) + ")", direction);
      const Outcomes mixed = sampled(pair, rate, direction);
      for (int k = 0; k < 6; ++k) {
        const Ball x = k == 0
                           ? Ball(Rational(sensitivity * sensitivity / (2 * v)))  // on the lattice
                           : Ball(random.uniform(-3, 3));
        CHECK_OVERLAPS(plain->delta(x), widened(direct_delta(pair, x), Ball(unseen)));
        CHECK_OVERLAPS(sample->delta(x), widened(direct_delta(mixed, x), Ball(unseen)));
        CHECK_OVERLAPS(plain->p_above(x) - exp(x) * plain->q_above(x), plain->delta(x));
        CHECK_OVERLAPS(sample->p_above(x) - exp(x) * sample->q_above(x), sample->delta(x));
        CHECK_WIDTH_BELOW(plain->delta(x) + Ball(1), 1e-40);
        CHECK_WIDTH_BELOW(sample->delta(x) + Ball(1), 1e-40);
        const Ball t(random.uniform(-3, 4));
        CHECK_OVERLAPS(plain->log_mgf(t), widened(direct_log_mgf(pair, t), Ball(unseen)));
        CHECK_OVERLAPS(sample->log_mgf(t), widened(direct_log_mgf(mixed, t), Ball(unseen)));
        CHECK_WIDTH_BELOW(exp(sample->log_mgf(t)), 1e-40);
        CHECK_OVERLAPS(sample->log_mgf(ComplexBall(t)).real(), sample->log_mgf(t));
        CHECK_OVERLAPS(plain->log_mgf(ComplexBall(t)).real(), plain->log_mgf(t));
        for (const auto& law : {plain, sample}) {
          const double value = law->log_mgf(t).estimate();
          CHECK(std::fabs(law->estimate_cumulant(t.estimate()).value - value) <
                1e-7 * (1 + std::fabs(value)));
        }
      }
      CHECK(contains(plain->log_mgf(Ball(0)), Ball(0)));
      CHECK(contains(sample->log_mgf(Ball(-1)), Ball(0)));
    }
  }
}

TEST_CASE("rate 1 and samples of samples of discrete Gaussian noise") {
  const PrecisionScope scope(160);
  const std::string base = "discrete_gaussian(sigma=3/2, sensitivity=2)";
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto twice = step_loss("poisson(poisson(" + base + ", rate=0.4), rate=0.25)", direction);
    const auto once = step_loss("poisson(" + base + ", rate=0.1)", direction);
    const auto plain = step_loss(base, direction);
    const auto whole = step_loss("poisson(" + base + ", rate=1)", direction);
    for (const double x : {-1.0, -0.01, 0.0, 0.2, 3.0}) {
      CHECK_OVERLAPS(twice->delta(Ball(x)), once->delta(Ball(x)));
      CHECK_OVERLAPS(whole->delta(Ball(x)), plain->delta(Ball(x)));
    }
  }
}

TEST_CASE("the lattice of discrete Gaussian noise") {
  for (const long bits : {64L, 200L, 500L}) {
    const PrecisionScope scope(bits);
    const auto law = step_loss("discrete_gaussian(sigma=3, sensitivity=2)", Direction::remove);
    const auto lattice = law->lattice();
    REQUIRE(lattice);
    CHECK_CONTAINS(lattice->mgf(Ball(0)) + lattice->infinite, 1);
    CHECK_OVERLAPS(log(lattice->mgf(Ball(1))), law->log_mgf(Ball(1)));
    CHECK(lattice->infinite.upper().estimate_log() < -0.69 * static_cast<double>(bits));
    for (long j = lattice->first; j < lattice->first + 20; ++j) {
      const Ball point = lattice->point(j);
      CHECK_OVERLAPS(law->p_atom(point),
                     lattice->masses[static_cast<std::size_t>(j - lattice->first)]);
    }
  }
  const PrecisionScope scope(64);
  const auto law = step_loss("discrete_laplace(scale=3, sensitivity=4)", Direction::remove);
  REQUIRE(law->lattice());
  CHECK(law->lattice()->masses.size() == 5);
  CHECK_OVERLAPS(log(law->lattice()->mgf(Ball(3))), law->log_mgf(Ball(3)));
  CHECK_FALSE(step_loss("laplace(scale=1)", Direction::remove)->lattice());
  CHECK_FALSE(
      step_loss("poisson(discrete_gaussian(sigma=3), rate=0.1)", Direction::remove)->lattice());
  CHECK(step_loss("poisson(discrete_laplace(scale=3), rate=0.1)", Direction::remove)->lattice());
}

TEST_CASE("the window of the lattice leaves nothing out: its law may have mass 1, and all of it") {
  for (const char* sigma : {"1/2", "3", "40"}) {
    const auto law = step_loss("discrete_gaussian(sigma=" + std::string(sigma) + ", sensitivity=2)",
                               Direction::add);
    std::shared_ptr<const LatticeLaw> lattice;
    {
      const PrecisionScope scope(64);
      lattice = law->lattice();
    }
    const PrecisionScope scope(400);
    const DiscreteGaussianTails noise(parse_rational(sigma) * parse_rational(sigma));
    INFO("sigma ", sigma);
    // the mass at the first point may be all that is there and below
    CHECK(certainly_less_equal(noise.tail(-lattice->first), lattice->masses.front().upper()));
    CHECK(certainly_less_equal(noise.tail(lattice->last() + 1), lattice->infinite.upper()));
    CHECK(certainly_less_equal(lattice->masses.front().lower(), noise.mass(lattice->first)));
  }
}

TEST_CASE("dropping the tails of discrete Gaussian sums gives wrong numbers") {
  const DiscreteGaussianTails noise(1'000'000);
  const auto sample = step_loss("poisson(discrete_gaussian(sigma=300, sensitivity=100), rate=0.1)",
                                Direction::remove);
  const auto plain = step_loss("discrete_gaussian(sigma=3)", Direction::remove);
  Ball tail;
  Ball moment;
  {
    const PrecisionScope scope(600);
    tail = noise.tail(20'000);
    moment = sample->log_mgf(Ball(2));
  }
  const auto wrong = [&] {
    const PrecisionScope scope(64);
    int misses = 0;
    if (!overlaps(noise.tail(20'000), tail)) ++misses;
    if (!overlaps(sample->log_mgf(Ball(2)), moment)) ++misses;
    // beyond the window only the mass at infinity is left
    const auto lattice = plain->lattice();
    const Ball last = lattice->point(lattice->last());
    if (certainly_greater(plain->delta(last), lattice->infinite.upper())) ++misses;
    return misses;
  };
  CHECK(wrong() == 0);
  sabotage::scale("discrete_gaussian.tail", 0);
  const int misses = wrong();
  sabotage::clear();
  CHECK(misses == 3);
}

TEST_CASE("a tail above a point that is not known to one integer is that of both neighbours") {
  const PrecisionScope scope(80);
  const DiscreteGaussianTails noise(Rational(9, 4));
  for (const long k : {-4L, 0L, 1L, 7L}) {
    const Ball both = noise.tail_above(widened(Ball(k), Ball(1e-6)));
    CHECK_OVERLAPS(both, noise.tail(k));  // a little below k: the outcomes from k on
    CHECK_OVERLAPS(both, noise.tail(k + 1));
    CHECK_OVERLAPS(noise.tail_above(Ball(k)), noise.tail(k + 1));
  }
}
