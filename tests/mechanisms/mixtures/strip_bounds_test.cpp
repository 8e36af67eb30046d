// Norms on the edges of strips and what lies outside of grids, against sums in floating point.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/mixtures/cut_integral.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "mechanisms/replacement/half_integral.hpp"
#include "mechanisms/replacement/mirrored_integral.hpp"
#include "support/integrands.hpp"
#include "support/mixtures.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// Sensitivity 0 is rare, and `zero` the y next to which a(-y) has a zero on the edge of its strip.
GaussianMixture rarely_without(Random& random, double& zero) {
  const Rational rare(1, random.integer(20, 3000));
  const GaussianMixture mixture{Rational(4, random.integer(2, 8)), {0, 1}, {rare, 1 - rare}};
  const double rate = estimate(1 / mixture.sigma);
  zero = std::log(1 / estimate(rare) - 1) / rate - rate / 2;
  return mixture;
}

/// An angle of a strip of analyticity up to `most`, of either sign.
double random_angle(Random& random, double most) {
  return random.sign() * most *
         (random.one_in(2) ? random.uniform(0.8, 0.995) : random.uniform(0, 1));
}

}  // namespace

TEST_CASE("mirrored mixtures: norms and tails") {
  Random random(81);
  for (int i = 0; i < trials(250); ++i) {
    double zero = -1;
    const GaussianMixture mixture =
        random.one_in(4) ? rarely_without(random, zero) : random_with_zero(random);
    const MirroredIntegral integral(mixture);
    const MixtureInDoubles m(mixture);
    const PrecisionScope scope(64);
    const double t = random.one_in(3) ? random.uniform(-1, 0) : random.uniform(-6, 5);
    const double most = std::min(std::numbers::pi / m.greatest_rate(), 2.5);
    const double e = random_angle(random, most);
    const double s = random.one_in(3) ? 0 : random.uniform(0, 4);
    const auto log_of = [&](double slope) { return mirrored_integrand(m, {t, slope}); };
    const double reach = 12 + (std::fabs(t) + 2) * m.greatest_rate();
    INFO(spec_of(mixture), " t ", t, " e ", e, " s ", s);
    const double axis = norm_of(log_of(0), 0, reach);
    const Ball norm = integral.norm(e, Ball(t), Ball(s), Ball(axis), 1);
    CHECK(may_be(norm_of(log_of(s), e, reach), norm));
    CHECK(may_be(norm_of(log_of(0), e, reach), norm));
    const double beyond = 1.02 * std::numbers::pi / m.greatest_rate();
    CHECK_FALSE(integral.norm(beyond, Ball(t), Ball(s), Ball(axis), 1).is_finite());
    MirroredIntegral::Strip strip;
    strip.eta = std::fabs(e);
    strip.d = std::exp2(static_cast<double>(random.integer(-5, 2)));
    strip.last = static_cast<long>(random.uniform(0, random.one_in(2) ? 3 : reach / 2) / strip.d);
    if (zero > 0)
      strip.last = static_cast<long>(std::max(0.0, zero - random.uniform(0, 1)) / strip.d);
    strip.first = -strip.last;
    const Ball rest = integral.outside(Ball(t), strip);
    CHECK(may_be(sum_outside(log_of(0), strip.eta, -strip.last, strip.last, strip.d), rest));
  }
}

TEST_CASE("cut mixtures: norms and ends") {
  Random random(82);
  for (int i = 0; i < trials(300); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const CutIntegral cut(mixture, std::exp(random.uniform(-2.5, 2)));
    const MixtureInDoubles m(mixture);
    const PrecisionScope scope(64);
    // with great powers the mass lies at the cut
    double r = random.one_in(4) ? 0 : random.uniform(0, random.one_in(3) ? 60 : 8);
    if (mixture.sensitivities.front() == 0 && random.one_in(3)) {
      r = -random.uniform(0, random.one_in(2) ? 40 : 4);
    }
    const double most = std::min(std::numbers::pi / 2, std::numbers::pi / m.greatest_rate());
    const double tau = random_angle(random, most);
    const double s = random.one_in(3) ? 0 : random.uniform(0, 4);
    const auto log_of = [&](double slope) { return cut_integrand(m, cut.cut(), {r, slope}); };
    INFO(spec_of(mixture), " cut ", cut.cut(), " r ", r, " tau ", tau, " s ", s);
    const double axis = norm_of(log_of(0), 0, 60);
    const Ball norm = cut.norm(tau, Ball(r), Ball(s), Ball(axis), 1);
    CHECK(may_be(norm_of(log_of(s), -tau, 60), norm));
    if (std::fabs(tau) > 0.1) {
      const double beyond = 1.05 * std::numbers::pi / m.greatest_rate();
      if (beyond < 1.5) CHECK_FALSE(cut.norm(beyond, Ball(r), Ball(s), Ball(axis), 1).is_finite());
    }
    CutIntegral::Strip strip{std::fabs(tau), 0, 0, 0, 0};
    strip.d = std::exp2(static_cast<double>(random.integer(-5, 2)));
    strip.first = -static_cast<long>(random.uniform(0, random.one_in(2) ? 1 : 8) / strip.d);
    // or the first point lies well below the edge
    if (random.one_in(2)) strip.first = static_cast<long>(random.uniform(0, cut.cut()) / strip.d);
    strip.last = static_cast<long>(
        std::ceil((cut.cut() + random.uniform(0, random.one_in(2) ? 16 : 5)) / strip.d));
    CHECK(may_be(sum_outside(log_of(0), -strip.eta, strip.first, strip.last, strip.d),
                 cut.outside(Ball(r), strip)));
  }
}

TEST_CASE("cut mixtures: one point of a piece is its sum") {
  // phi f^r is nearly constant on the pieces, of which the grid has a point at the greater end
  const GaussianMixture mixture = mixture_of("poisson(gaussian(sigma=1), rate=1e-9)");
  const MixtureInDoubles m(mixture);
  const PrecisionScope scope(64);
  for (const double d : {0.5, 1.0, 2.0, 4.0}) {
    const CutIntegral cut(mixture, 0.5);
    CutIntegral::Strip strip{0, 0, d, 1, static_cast<long>(std::ceil(12 / d))};
    const Ball bound = cut.outside(Ball(0), strip);
    const double truth = sum_outside(cut_integrand(m, 0.5, {0, 0}), 0, strip.first, strip.last, d);
    CHECK(may_be(truth, bound));
  }
}

TEST_CASE("cut mixtures: negative powers where they are next to equalities") {
  const GaussianMixture mixture = mixture_of("poisson(gaussian(sigma=1), rate=0.4)");
  const MixtureInDoubles m(mixture);
  const PrecisionScope scope(64);
  for (const double r : {-2.0, -8.0, -30.0}) {
    const CutIntegral cut(mixture, 2);
    for (const double tau : {0.2, 0.6, 1.0}) {
      // the rest on the far side, and next to the edge
      const CutIntegral::Strip far{tau, 0, 0.125, -400, static_cast<long>(4 / 0.125)};
      const CutIntegral::Strip near{tau, 0, 0.125, 8, static_cast<long>(30 / 0.125)};
      for (const CutIntegral::Strip& strip : {far, near}) {
        const double truth = sum_outside(cut_integrand(m, cut.cut(), {r, 0}), -strip.eta,
                                         strip.first, strip.last, strip.d);
        CHECK(may_be(truth, cut.outside(Ball(r), strip)));
      }
      const double axis = norm_of(cut_integrand(m, cut.cut(), {r, 0}), 0, 40);
      CHECK(may_be(norm_of(cut_integrand(m, cut.cut(), {r, 0}), -tau, 40),
                   cut.norm(tau, Ball(r), Ball(0), Ball(axis), 1)));
    }
  }
}

TEST_CASE("half integrals: norms and ends") {
  Random random(83);
  for (int i = 0; i < trials(400); ++i) {
    Rational distance(random.integer(1, 24), 4);
    Rational rate(random.integer(1, 99), random.one_in(4) ? 10000 : 100);
    double r = random.one_in(2) ? random.uniform(-6, 0) : random.uniform(0, 8);
    if (random.one_in(3)) r = random.uniform(-60, 0);  // the mass lies at the end of the half line
    if (random.one_in(4)) {  // f is near a zero of its continuation where there is mass
      rate = exactly(0.4 * std::exp(-estimate(distance) * random.uniform(0.7, 1.6)));
      r = random.uniform(-12, -2);
    }
    if (random.one_in(6)) {  // the mass lies at the end, and f turns by next to nothing
      distance = Rational(1, random.integer(200, 4000));
      r = -std::exp(random.uniform(1, 5)) / estimate(distance * rate);
    }
    const HalfIntegral half(distance, rate);
    const double a = estimate(distance), q = estimate(rate);
    const PrecisionScope scope(64);
    const double most = std::min(std::numbers::pi / 2, std::numbers::pi / a);
    const double tau = random_angle(random, most);
    const double s = random.one_in(3) ? 0 : random.uniform(0, 4);
    const auto log_of = [&](double slope) { return half_integrand(a, q, {r, slope}); };
    INFO("distance ", a, " rate ", q, " r ", r, " tau ", tau, " s ", s);
    const double axis = norm_of(log_of(0), 0, 80);
    const Ball norm = half.norm(tau, Ball(r), Ball(s), Ball(axis), 1);
    CHECK(may_be(norm_of(log_of(s), tau, 80), norm));
    const double beyond = 1.05 * std::numbers::pi / a;
    if (beyond < 1.5) CHECK_FALSE(half.norm(beyond, Ball(r), Ball(s), Ball(axis), 1).is_finite());
    HalfIntegral::Strip strip{std::fabs(tau), 0, 0, 0, 0};
    strip.d = std::exp2(static_cast<double>(random.integer(-5, 2)));
    strip.first = -static_cast<long>(random.uniform(0, random.one_in(2) ? 1 : 8) / strip.d);
    const double far = random.uniform(-3, 6) + (random.one_in(2) ? 12 : 0);
    strip.last = static_cast<long>(std::max(0.0, r * a - a / 2 + far) / strip.d);
    CHECK(may_be(sum_outside(log_of(0), strip.eta, strip.first, strip.last, strip.d),
                 half.outside(Ball(r), strip)));
  }
}

TEST_CASE("mixtures: norms and tails") {
  Random random(84);
  int split = 0;
  for (int i = 0; i < trials(300); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const MixtureIntegral bounds(mixture);
    const MixtureInDoubles m(mixture);
    const PrecisionScope scope(64);
    const double r = random.one_in(2) ? random.uniform(-12, 0) : random.uniform(0, 6);
    const double most = std::min(std::numbers::pi / m.greatest_rate(), 3.0);
    const double e = random_angle(random, most);
    const double s = random.one_in(3) ? 0 : random.uniform(0, random.one_in(2) ? 30 : 4);
    const auto log_of = [&](double slope) { return mixture_integrand(m, {r, slope}); };
    const double reach = 12 + (std::fabs(r) + 1) * m.greatest_rate();
    INFO(spec_of(mixture), " r ", r, " e ", e, " s ", s);
    const double axis = norm_of(log_of(0), 0, reach);
    const double d = std::exp2(static_cast<double>(random.integer(-5, 0)));
    const double truth = std::max(norm_of(log_of(s), e, reach), norm_of(log_of(0), e, reach));
    for (const MixtureIntegral::Norm& norm : bounds.norms(e, Ball(r), Ball(s), d)) {
      CHECK(may_be(truth, norm.at(Ball(axis))));
      split += certainly_positive(norm.slope) && certainly_positive(norm.base) ? 1 : 0;
    }
    const double beyond = 1.02 * std::numbers::pi / m.greatest_rate();
    CHECK_FALSE(bounds.norm(beyond, Ball(r), Ball(s), Ball(axis), d).is_finite());
    MixtureIntegral::Strip grid;
    grid.eta = std::fabs(e);
    grid.d = std::exp2(static_cast<double>(random.integer(-5, 1)));
    grid.first = -static_cast<long>(random.uniform(0, random.one_in(2) ? 2 : reach / 2) / grid.d);
    grid.last = static_cast<long>(random.uniform(0, random.one_in(2) ? 2 : reach / 2) / grid.d);
    CHECK(may_be(sum_outside(log_of(0), std::fabs(e), grid.first, grid.last, grid.d),
                 bounds.outside(Ball(r), grid)));
    // one side alone
    grid.first = -static_cast<long>(60 / grid.d);
    CHECK(may_be(sum_outside(log_of(0), std::fabs(e), grid.first, grid.last, grid.d),
                 bounds.outside(Ball(r), grid)));
  }
  CHECK(split > 3);
}

TEST_CASE("mixtures: norms and tails of negative powers where they are next to equalities") {
  // f is nearly constant: so are its powers, on a line too
  const GaussianMixture mixture = mixture_of("poisson(gaussian(sigma=1), rate=1e-9)");
  const MixtureIntegral bounds(mixture);
  const MixtureInDoubles m(mixture);
  const PrecisionScope scope(64);
  const double r = -3;
  const double e = 0.4;
  const auto integrand = mixture_integrand(m, {r, 0});
  const double axis = norm_of(integrand, 0, 12);
  const double truth = norm_of(integrand, e, 12);
  for (const MixtureIntegral::Norm& norm : bounds.norms(e, Ball(r), Ball(0), 0.25)) {
    CHECK(certainly_greater(norm.at(Ball(axis)), Ball(truth * 0.9999)));
  }
  MixtureIntegral::Strip grid;
  grid.eta = e;
  grid.d = 0x1p-14;
  for (const bool to_the_right : {true, false}) {
    grid.first = static_cast<long>((to_the_right ? -30 : -1) / grid.d);
    grid.last = static_cast<long>((to_the_right ? 1 : 30) / grid.d);
    const double rest = sum_outside(integrand, e, grid.first, grid.last, grid.d);
    CHECK(certainly_greater(bounds.outside(Ball(r), grid), Ball(rest * 0.9999)));
    CHECK(certainly_less(bounds.outside(Ball(r), grid), Ball(rest * 1.001)));
  }
}
