// f and the bounds of Lemma 2 and (3.T) on it, at random points and against finite expressions.
#include "mechanisms/mixtures/likelihood_ratio.hpp"

#include <doctest/doctest.h>

#include "lib/balls/error_term.hpp"
#include "mechanisms/forms/sampling_laws.hpp"
#include "support/containment.hpp"
#include "support/mixtures.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// f(y + i eta) term by term.
ComplexBall direct(const GaussianMixture& mixture, const Ball& y, const Ball& eta) {
  ComplexBall sum;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const Rational rate = mixture.sensitivities[i] / mixture.sigma;
    const ComplexBall exponent{Ball(rate) * y - Ball(Rational(rate * rate / 2)), Ball(rate) * eta};
    sum += ComplexBall(Ball(mixture.probabilities[i])) * exp(exponent);
  }
  return sum;
}

/// phi(y) f(y)^r.
Ball integrand(const GaussianMixture& mixture, const Ball& y, const Ball& r) {
  return normal_density(y) * exp(r * log(direct(mixture, y, Ball(0)).real()));
}

/// int_Y^inf phi f^m for a subsampled Gaussian, m an integer: a binomial sum.
Ball right_mass(const Rational& sigma, const Rational& q, const Ball& y, long m) {
  Ball sum;
  Ball binomial(1);
  for (long k = 0; k <= m; ++k) {
    sum += binomial * power(Ball(q), static_cast<std::uint64_t>(k)) *
           power(Ball(Rational(1 - q)), static_cast<std::uint64_t>(m - k)) *
           exp(Ball(Rational(k * (k - 1) / (2 * sigma * sigma)))) *
           normal_cdf(Ball(Rational(k / sigma)) - y);
    binomial = binomial * Ball(m - k) / Ball(k + 1);
  }
  return sum;
}

}  // namespace

TEST_CASE("values, logarithms and grids against the sum") {
  Random random(11);
  for (int i = 0; i < trials(100); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const PrecisionScope scope(random.precision());
    const LikelihoodRatio f(mixture);
    const double d = std::exp2(static_cast<double>(random.integer(-8, -1)));
    const long first = random.integer(-300, 20);
    const long last = first + random.integer(0, 60);
    const Ball eta(random.one_in(3) ? 0 : random.uniform(0, 0.5));
    INFO(spec_of(mixture), ", d ", d, ", from ", first, " to ", last);
    const auto grid = f.on_grid(d, first, last, eta);
    const auto logs = f.logs_on_grid(d, first, last);
    REQUIRE(grid.size() == static_cast<std::size_t>(last - first + 1));
    REQUIRE(logs.size() == grid.size());
    for (const long j : {first, (first + last) / 2, last}) {
      const auto k = static_cast<std::size_t>(j - first);
      const PrecisionScope precise(1500);
      const Ball y = Ball(d) * Ball(j);
      const ComplexBall value = direct(mixture, y, eta);
      CHECK_CONTAINS(grid[k].real(), value.real());
      CHECK_CONTAINS(grid[k].imaginary(), value.imaginary());
      const Ball logarithm = log(direct(mixture, y, Ball(0)).real());
      if (logs[k].is_exact()) {  // f = 1
        CHECK_CONTAINS(logarithm, logs[k]);
      } else {
        CHECK_CONTAINS(logs[k], logarithm);
      }
    }
    const Ball y(random.uniform(-10, 10));
    const Ball value = f.value(y);
    const Ball logarithm = f.log_value(y);
    const PrecisionScope precise(1500);
    CHECK_CONTAINS(value, direct(mixture, y, Ball(0)).real());
    CHECK_CONTAINS(logarithm, log(direct(mixture, y, Ball(0)).real()));
  }
}

TEST_CASE("log f keeps its digits where f is near 1") {
  const PrecisionScope scope(128);
  const LikelihoodRatio f(mixture_of("poisson(gaussian(sigma=1), rate=1e-9)"));
  CHECK_WIDTH_BELOW(f.log_value(Ball(0.25)), 1e-35);
  CHECK_WIDTH_BELOW(f.log_value(Ball(-3)), 1e-35);
}

TEST_CASE("turn_factor and turn_angle bound what they say") {
  Random random(12);
  int refined = 0;
  for (int i = 0; i < trials(300); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const PrecisionScope scope(100);
    const LikelihoodRatio f(mixture);
    const Ball eta = Ball(random.uniform(-1.05, 1.05)) * pi() / f.greatest_rate();
    const Ball r(random.one_in(3) ? random.uniform(0, 9) : random.uniform(-20, 0));
    const Ball reach(random.uniform(-8, 12));
    const Ball everywhere = f.turn_factor(r, eta, std::nullopt);
    const Ball left = f.turn_factor(r, eta, reach);
    const Ball angle = f.turn_angle(eta, std::nullopt);
    const Ball left_angle = f.turn_angle(eta, reach);
    INFO(spec_of(mixture), ", eta ", eta.estimate(), ", r ", r.estimate(), ", reach ",
         reach.estimate());
    CHECK(!certainly_less(everywhere, left));
    CHECK(!certainly_less(angle, left_angle));
    refined += certainly_less(left_angle, angle) ? 1 : 0;
    const bool inside = certainly_less(abs(eta) * f.greatest_rate(), pi());
    for (int k = 0; k < 12; ++k) {
      const bool before = k < 8;
      const double back = k == 0 ? 0 : std::exp(random.uniform(-5, 4));
      const Ball y = before ? reach - Ball(back) : reach + Ball(back);
      const ComplexBall value = direct(mixture, y, eta);
      const Ball real = direct(mixture, y, Ball(0)).real();
      INFO("y ", y.estimate());
      const Ball ratio = exp(r * log(abs(value) / real));
      if (everywhere.is_finite()) CHECK(certainly_less_equal(ratio.lower(), everywhere));
      if (before && left.is_finite()) CHECK(certainly_less_equal(ratio.lower(), left));
      if (!inside) continue;
      const Ball turned = abs(argument(value));  // |arg f| < pi: the principal value
      CHECK(certainly_less_equal(turned.lower(), angle));
      if (before) CHECK(certainly_less_equal(turned.lower(), left_angle));
    }
  }
  CHECK(refined > trials(10));
}

TEST_CASE("tails: no partial sum exceeds them") {
  Random random(13);
  int right_finite = 0;
  int left_finite = 0;
  const int count = trials(150);
  for (int i = 0; i < count; ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const PrecisionScope scope(120);
    const LikelihoodRatio f(mixture);
    const double d = std::exp2(static_cast<double>(random.integer(-5, 2)));  // wide ones too
    const double r = random.one_in(2) ? random.uniform(-9, 0) : random.uniform(0, 9);
    const long right = static_cast<long>(std::floor(random.uniform(0, 30) / d));
    const long left = -static_cast<long>(std::floor(random.uniform(0, 30) / d));
    const Ball above = f.right_tail(Ball(r), right, d);
    const Ball below = f.left_tail(Ball(r), left, d);
    INFO(spec_of(mixture), ", r ", r, ", d ", d, ", from ", right, ", ", left);
    Ball sum_above, sum_below;
    for (long j = 1; j <= 200; ++j) {
      sum_above += integrand(mixture, Ball(d) * Ball(right + j), Ball(r));
      sum_below += integrand(mixture, Ball(d) * Ball(left - j), Ball(r));
    }
    if (above.is_finite()) {
      ++right_finite;
      CHECK(certainly_less_equal(sum_above * Ball(d), above));
    }
    if (below.is_finite()) {
      ++left_finite;
      CHECK(certainly_less_equal(sum_below * Ball(d), below));
    }
  }
  CHECK(right_finite > count / 3);
  CHECK(left_finite > count / 3);
}

TEST_CASE("right tail against the exact mass, and how sharp it is") {
  const PrecisionScope scope(200);
  for (const char* sigma : {"0.5", "1", "4"}) {
    for (const char* rate : {"0.001", "0.25"}) {
      const Rational s = parse_rational(sigma);
      const Rational q = parse_rational(rate);
      const LikelihoodRatio f(normalised({s, {0, 1}, {1 - q, q}}));
      for (const long m : {1L, 2L, 3L, 6L}) {
        for (const long index : {8L, 40L, 80L, 200L}) {
          const Ball y = Ball(0.125) * Ball(index);
          const Ball bound = f.right_tail(Ball(m), index, 0.125);
          const Ball mass = right_mass(s, q, y, m);
          INFO("sigma ", sigma, ", rate ", rate, ", m ", m, ", y ", y.estimate());
          CHECK(bound.is_finite());
          CHECK(certainly_less_equal(mass, bound));
          if (certainly_greater(y, Ball(Rational(m / s)) + Ball(2))) {
            CHECK(certainly_less(bound, mass * Ball(20)));
          }
        }
      }
    }
  }
}

TEST_CASE("f on a grid, rare components left out: encloses, tight, and its bound is needed") {
  GaussianMixture mixture{Rational(3), {}, {}};
  for (int k = 0; k <= 150; ++k) mixture.sensitivities.emplace_back(k);
  mixture.probabilities = binomial_law("test", 150, Rational(1, 50));
  for (const double eta : {0.0, 0.05}) {
    const auto misses = [&] {
      bool any = false;
      const PrecisionScope scope(80);
      const LikelihoodRatio f(mixture);
      const std::vector<ComplexBall> values = f.on_grid(0.125, -60, 90, Ball(eta));
      for (long j = -60; j <= 90; ++j) {
        const ComplexBall& value = values[static_cast<std::size_t>(j + 60)];
        const PrecisionScope finer(300);
        const ComplexBall exact = direct(mixture, Ball(0.125) * Ball(j), Ball(eta));
        any = any || !overlaps(value.real(), exact.real()) ||
              !overlaps(value.imaginary(), exact.imaginary());
        CHECK((value.real().radius() / abs(exact)).upper_double() < 1e-18);
      }
      return any;
    };
    CHECK(!misses());
    sabotage::scale("mixture.components", 0);
    CHECK(misses());
    sabotage::clear();
  }
}

TEST_CASE("f far to the right, where the small sensitivities are left out") {
  GaussianMixture mixture{Rational(3), {}, {}};
  for (int k = 0; k <= 150; ++k) mixture.sensitivities.emplace_back(k);
  mixture.probabilities = binomial_law("test", 150, Rational(1, 50));
  for (const long first : {240L, 320L, 400L}) {
    const PrecisionScope scope(64);
    const LikelihoodRatio f(mixture);
    const std::vector<ComplexBall> values = f.on_grid(0.125, first, first + 60, Ball(0.02));
    for (long j = first; j <= first + 60; ++j) {
      const ComplexBall& value = values[static_cast<std::size_t>(j - first)];
      const PrecisionScope finer(300);
      const ComplexBall exact = direct(mixture, Ball(0.125) * Ball(j), Ball(0.02));
      CHECK_OVERLAPS(value.real(), exact.real());
      CHECK_OVERLAPS(value.imaginary(), exact.imaginary());
    }
  }
}

TEST_CASE("f on a grid where only the small sensitivities are left out") {
  Random random(14);
  for (int i = 0; i < trials(20); ++i) {
    // at y = 0 each term is about twice the one before, and further right more: all terms but the
    // last sixty or so are left out, the greatest ones are not
    GaussianMixture mixture{Rational(random.integer(20, 60)), {}, {}};
    Rational total = 0;
    for (long k = 0; k < 90; ++k) {
      mixture.sensitivities.emplace_back(k);
      mixture.probabilities.emplace_back(Rational(Integer(1) << static_cast<unsigned>(k)) *
                                         random.integer(8, 12));
      total += mixture.probabilities.back();
    }
    for (Rational& p : mixture.probabilities) p /= total;
    const PrecisionScope scope(64);
    const LikelihoodRatio f(mixture);
    const long first = random.integer(0, 40);
    const std::vector<ComplexBall> values = f.on_grid(0.125, first, first + 30, Ball(0.05));
    for (long j = first; j <= first + 30; ++j) {
      const ComplexBall& value = values[static_cast<std::size_t>(j - first)];
      const PrecisionScope finer(300);
      const ComplexBall exact = direct(mixture, Ball(0.125) * Ball(j), Ball(0.05));
      INFO("sigma ", to_string(mixture.sigma), " j ", j);
      CHECK_OVERLAPS(value.real(), exact.real());
      CHECK_OVERLAPS(value.imaginary(), exact.imaginary());
    }
  }
}
