// Riemann sums of the tilted density against the integral over y, and the density mode against the
// contour accountant; no error term may be left out.
#include "accountants/fourier/fourier_density.hpp"

#include <doctest/doctest.h>

#include "accountants/contour/contour.hpp"
#include "accountants/fourier/density_aliases.hpp"
#include "accountants/fourier/lattice_line.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/curves.hpp"
#include "support/mixtures.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Line {
  std::shared_ptr<const PrivacyLoss> loss;
  std::shared_ptr<LatticeRecord> record = std::make_shared<LatticeRecord>();
  LatticeLineLoss density;

  Line(const GaussianMixture& mixture, Direction direction)
      : loss(gaussian_mixture_loss(mixture, direction)),
        density(loss, direction, density_sampler(most_points_of_density), record) {}
};

bool inside(const ComplexBall& outer, const ComplexBall& inner) {
  return contains(outer.real(), inner.real()) && contains(outer.imaginary(), inner.imaginary());
}

/// Without small noise and rare sampling, whose densities need a million points.
GaussianMixture smooth_mixture(Random& random) {
  for (;;) {
    GaussianMixture mixture = random_mixture(random);
    if (mixture.sigma < mixture.sensitivities.back()) continue;
    if (mixture.probabilities.back() < Rational(1, 20)) continue;
    return mixture;
  }
}

/// How many of the values miss the exact ones.
int missing(const LineValues& found, const LineValues& exact) {
  int count = 0;
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    if (!overlaps(found.values[k], exact.values[k])) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("Riemann sums hold the moment generating function") {
  Random random(21);
  const PrecisionScope scope(192);
  int computed = 0;
  int refused = 0;
  for (int i = 0; i < trials(40); ++i) {
    const GaussianMixture mixture = smooth_mixture(random);
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const Line line(mixture, direction);
    const Ball t(random.uniform(-3, 4));
    const double deviation = std::sqrt(line.loss->estimate_cumulant(t.estimate()).variance);
    const Ball step(0.3 / deviation);
    const double nats = random.uniform(3, 36);
    CAPTURE(spec_of(mixture));
    CAPTURE(t.estimate());
    CAPTURE(nats);
    try {
      const LineValues found = line.density.mgf_on_line(t, step, 9, nats);
      const LineValues exact = line.loss->mgf_on_line(t, step, 9, nats + 80);
      const Ball size = line.loss->mgf_upper(t, 10);
      for (std::size_t k = 0; k < 9; ++k) CHECK(inside(found.values[k], exact.values[k]));
      CHECK(found.quadrature.estimate_log() - size.estimate_log() < 4 - nats);
      ++computed;
    } catch (const std::domain_error&) {
      ++refused;  // too many points: small noise, rare sampling
    }
  }
  MESSAGE("lines computed " << computed << ", refused " << refused);
  CHECK(computed > 4 * refused);
}

TEST_CASE("aliases: the bound holds and is near the truth") {
  // For the plain Gaussian every alias is known.
  const PrecisionScope scope(128);
  const auto loss = gaussian_mixture_loss(mixture_of("gaussian(sigma=1.5)"), Direction::remove);
  const Rational mu = Rational(2, 9);
  for (const double period : {4.0, 9.0, 20.0}) {
    for (const double s : {0.0, 1.5}) {
      Ball truth;
      for (int m = -60; m <= 60; ++m) {
        if (m == 0) continue;
        const Ball height = Ball(s) + Ball(m) * Ball(period);
        truth += exp(Ball(mu) * (Ball(0.5) * Ball(1.5) - square(height)));
      }
      const Ball bound =
          alias_bound(*loss, Direction::remove, Ball(0.5), Ball(period), Ball(s), 200);
      CHECK(certainly_less_equal(truth, bound));
      CHECK(certainly_less(bound, Ball(5) * truth));
    }
  }
}

TEST_CASE("aliases: a bound whatever accuracy is asked for") {
  const PrecisionScope scope(128);
  for (const char* spec : {"poisson(gaussian(sigma=1), rate=0.3)",
                           "pair(without_replacement, sigma=2, rate=0.1)", "gaussian(sigma=3)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss composed = loss_from(spec, direction);
      const PrivacyLoss& loss = *composed.terms()[0].loss;
      for (const double t : {0.0, 2.0}) {
        const double period = 5;
        const double s = 1;
        Ball truth;
        for (int m = -8; m <= 8; ++m) {
          if (m != 0) truth += abs(exp(loss.log_mgf(ComplexBall(Ball(t), Ball(s + m * period)))));
        }
        for (const double nats : {-5.0, 0.0, 6.0, 20.0}) {
          INFO(std::string(spec), " ", std::string(name_of(direction)), " t ", t, " nats ", nats);
          const Ball bound = alias_bound(loss, direction, Ball(t), Ball(period), Ball(s), nats);
          CHECK(certainly_less_equal(truth.lower(), bound));
        }
      }
    }
  }
}

TEST_CASE("the bound far out holds") {
  Random random(22);
  const PrecisionScope scope(128);
  for (int i = 0; i < trials(15); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const auto loss = gaussian_mixture_loss(mixture, direction);
    const Ball t(random.uniform(-5, 2));
    const Ball bound = fourth_order_bound(*loss, direction, t);
    const double deviation = std::sqrt(loss->estimate_cumulant(t.estimate()).variance);
    CAPTURE(spec_of(mixture));
    const Ball step(0.7 / deviation);
    const LineValues line = loss->mgf_on_line(t, step, 12, 40);
    for (std::size_t k = 1; k < line.values.size(); ++k) {
      CHECK(certainly_less_equal(abs(line.values[k]).lower(),
                                 bound / power(step * Ball(std::uint64_t{k}), 4)));
    }
  }
}

TEST_CASE("density mode: bands of the contour accountant") {
  struct Query {
    const char* spec;
    Direction direction;
    bool epsilon;
    const char* argument;
    int digits;
  };
  const Query queries[] = {
      {"poisson(gaussian(sigma=1.5), rate=0.01)^10000", Direction::remove, false, "1", 6},
      {"poisson(gaussian(sigma=1.5), rate=0.01)^10000", Direction::add, true, "1e-6", 6},
      {"poisson(gaussian(sigma=1.5), rate=0.01)^10000", Direction::remove, true, "1e-15", 6},
      {"poisson(gaussian(sigma=2), rate=0.1)^300", Direction::remove, false, "2", 14},
      {"poisson(gaussian(sigma=10), rate=0.1)^10000000", Direction::remove, true, "1e-100", 9},
      {"gaussian(sigma=3)^20", Direction::remove, false, "4.5", 20},
      {"mixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25])^200",
       Direction::add, false, "30", 8},
      {"gaussian(sigma=5)^7 * poisson(gaussian(sigma=2), rate=0.2)^40", Direction::remove, true,
       "1e-30", 7},
  };
  for (const Query& query : queries) {
    CAPTURE(std::string(query.spec));
    CAPTURE(std::string(query.argument));
    const ComposedLoss loss = loss_from(query.spec, query.direction);
    REQUIRE(!density_refusal(loss));
    const Rational argument = parse_rational(query.argument);
    const auto ask = [&](PrivacyCurve& curve) {
      return query.epsilon ? curve.epsilon(argument) : curve.delta(argument);
    };
    const Enclosure found = ask(*density_curve(loss, Goal{query.digits}));
    const Enclosure truth = ask(*contour_accountant()->open(loss, Goal{query.digits + 15}));
    INFO(found.method, " ", found.remark);
    CHECK(reached(found, query.digits));
    CHECK(found.certified);
    CHECK(found.accountant == "fourier");
    CHECK(found.method.rfind("density, mesh", 0) == 0);
    CHECK_BAND_HOLDS(found, band_of(truth));
    CHECK(certainly_positive(ledger_size(found, "density.aliasing")));
    CHECK(certainly_positive(ledger_size(found, "density.tails")));
  }
}

TEST_CASE("density mode: a mesh that cannot be afforded is said, and the band stays valid") {
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=0.3), rate=0.001)^100");
  const Enclosure band = density_curve(loss, Goal{6})->delta(1);
  CHECK(certainly_less_equal(band.lower, band.upper));
  CHECK(band.remark.find("density mode") != std::string::npos);
  CHECK(density_refusal(two_atoms(1, Rational(1, 2), -1, Rational(1, 2))).has_value());
}

TEST_CASE("density mode: no term may be left out") {
  const PrecisionScope scope(192);
  struct Coarse {
    const char* term;
    const char* spec;
    Direction direction;
    double t;
    double nats;
  };
  const Coarse coarse_ones[] = {
      {"density.aliasing", "poisson(gaussian(sigma=1), rate=0.3)", Direction::remove, 0.5, 4},
      {"density.aliasing", "poisson(gaussian(sigma=1), rate=0.3)", Direction::add, 0.5, 4},
      {"density.aliasing", "poisson(gaussian(sigma=0.7), rate=0.1)", Direction::remove, 1, 6},
      {"density.tails", "gaussian(sigma=0.5)", Direction::remove, 1, 6},
      {"density.tails", "gaussian(sigma=0.5)", Direction::add, 1, 12},
      {"density.transform", "gaussian(sigma=0.5)", Direction::remove, 1, 35},
      {"density.transform", "poisson(gaussian(sigma=2), rate=0.5)", Direction::remove, 1, 35},
      {"density.transform", "poisson(gaussian(sigma=2), rate=0.5)", Direction::add, 3, 35},
  };
  for (const Coarse& coarse : coarse_ones) {
    INFO(std::string(coarse.term), ", ", std::string(coarse.spec), ", t ", coarse.t);
    const Line line(mixture_of(coarse.spec), coarse.direction);
    const Ball t(coarse.t);
    const double deviation = std::sqrt(line.loss->estimate_cumulant(coarse.t).variance);
    const Ball step(0.4 / deviation);
    const LineValues exact = line.loss->mgf_on_line(t, step, 7, 90);
    CHECK(missing(line.density.mgf_on_line(t, step, 7, coarse.nats), exact) == 0);
    CHECK(line.record->doubles);
    const Scaled off(coarse.term, 0);
    CHECK(missing(line.density.mgf_on_line(t, step, 7, coarse.nats), exact) > 0);
  }
}
