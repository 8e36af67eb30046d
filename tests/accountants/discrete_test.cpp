// Compositions of discrete noise: exactly on the lattice, against sums over all outcomes and against
// the Gaussian; samples of them on grids.
#include <doctest/doctest.h>

#include <cmath>

#include "accountants/closed_form.hpp"
#include "accountants/lattice_composition.hpp"
#include "accountants/registry.hpp"
#include "lib/precision.hpp"
#include "support/curves.hpp"
#include "support/outcomes.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// The composition on its lattice, to relative accuracy 10^-digits.
Enclosure on_lattice(const std::string& spec, const Rational& epsilon, int digits,
                     long bits, Direction direction = Direction::remove) {
  const PrecisionScope scope(bits);
  std::vector<LatticeComposition::Factor> factors;
  const ComposedLoss loss = loss_from(spec, direction);
  for (const ComposedLoss::Term& term : loss.terms()) {
    factors.push_back({term.loss->lattice(), term.count});
  }
  LatticeComposition composition(std::move(factors), estimate(epsilon), digits * 2.302585 + 2);
  return composition.delta(Ball(epsilon));
}

}  // namespace

TEST_CASE("two and three steps of discrete noise against sums over all outcomes") {
  Random random(91);
  const PrecisionScope scope(200);
  for (int i = 0; i < trials(6); ++i) {
    const Rational v(random.integer(4, 40), 10);
    const long reach = 4 + static_cast<long>(25 * std::sqrt(estimate(v)));
    const long d = random.integer(1, 3);
    const Outcomes gauss = test::discrete_gaussian(v, d, reach);
    const std::string gauss_spec = "discrete_gaussian(variance=" + to_string(v) +
                                   ", sensitivity=" + std::to_string(d) + ")";
    const Rational scale(random.integer(5, 40), 10);
    const Outcomes laplace = test::discrete_laplace(scale, d);
    const std::string laplace_spec = "discrete_laplace(scale=" + to_string(scale) +
                                     ", sensitivity=" + std::to_string(d) + ")";
    const Rational epsilon(random.integer(-100, 300), 100);
    INFO(gauss_spec, " ", laplace_spec, " at ", to_string(epsilon));
    const Outcomes two = product(gauss, gauss);
    const Ball exact = widened(direct_delta(two, Ball(epsilon)), Ball(1e-60));
    CHECK_BAND_MEETS(on_lattice(gauss_spec + "^2", epsilon, 25, 200), exact);
    CHECK(reached(on_lattice(gauss_spec + "^2", epsilon, 25, 200), 24));
    const Outcomes three = product(product(laplace, laplace), laplace);
    const Ball laplace_exact = direct_delta(three, Ball(epsilon));
    if (certainly_positive(laplace_exact)) {
      CHECK_BAND_MEETS(on_lattice(laplace_spec + "^3", epsilon, 25, 200), laplace_exact);
    }
  }
}

TEST_CASE("samples of discrete noise on grids against sums over all outcomes") {
  Random random(92);
  const PrecisionScope scope(160);
  for (int i = 0; i < trials(3); ++i) {
    const Rational v(random.integer(4, 40), 10);
    const long reach = 4 + static_cast<long>(20 * std::sqrt(estimate(v)));
    const Rational rate(random.integer(5, 95), 100);
    const std::string gauss = "poisson(discrete_gaussian(variance=" + to_string(v) + "), rate=" +
                              to_string(rate) + ")";
    const std::string laplace = "poisson(discrete_laplace(scale=2, sensitivity=2), rate=" +
                                to_string(rate) + ")";
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Outcomes one = sampled(test::discrete_gaussian(v, 1, reach), rate, direction);
      const Outcomes other = sampled(test::discrete_laplace(2, 2), rate, direction);
      const Rational epsilon(random.integer(1, 60), 100);
      const Ball exact = direct_delta(product(one, other), Ball(epsilon));
      const ComposedLoss loss = loss_from(gauss + " * " + laplace, direction);
      for (const char* name : {"fourier", "moments", "privacy_buckets"}) {
        const Enclosure band = accountant(name)->open(loss, Goal{5})->delta(epsilon);
        INFO(gauss, " ", laplace, " at ", to_string(epsilon), " ", std::string(name), " ", show(band));
        CHECK_BAND_MEETS(band, exact);
      }
    }
  }
}

TEST_CASE("discrete Gaussian against the Gaussian: as far apart as the lattice says") {
  // sigma = 10, n = 100: mesh h = 0.01; lattice points are at multiples of 0.01 (mu = 1/200)
  const std::string spec = "discrete_gaussian(sigma=10)^100";
  for (const char* text : {"1", "1.005", "2.5", "2.505"}) {
    const Rational epsilon = parse_rational(text);
    const Enclosure discrete = on_lattice(spec, epsilon, 30, 250);
    const PrecisionScope scope(250);
    const Ball gaussian = gaussian_delta(Rational(1, 2), Ball(epsilon));
    // density of N(1/2, 1) at epsilon
    const Ball density = normal_density(Ball(epsilon) - Ball(0.5));
    const bool on_point = denominator(Rational(epsilon * 100)) == 1;
    const Ball expected = density * Ball(Rational(1, 10000)) *
                          Ball(on_point ? Rational(-1, 12) : Rational(1, 24));
    const Ball difference = band_of(discrete) - gaussian;
    INFO(std::string(text), " ", show(discrete), " gaussian ", show(gaussian));
    CHECK(reached(discrete, 29));
    CHECK(certainly_less(abs(difference / expected - Ball(1)), Ball(0.001)));
  }
}

TEST_CASE("deltas far out need the law at more bits, and then are exact") {
  const Rational epsilon(20);
  const Enclosure rough = on_lattice("discrete_gaussian(sigma=10)^100", epsilon, 12, 128);
  const Enclosure fine = on_lattice("discrete_gaussian(sigma=10)^100", epsilon, 12, 450);
  CHECK_BANDS_OVERLAP(rough, fine);
  CHECK(reached(fine, 11));
  const PrecisionScope scope(500);
  const Ball gaussian = gaussian_delta(Rational(1, 2), Ball(epsilon));  // 1.8e-86
  CHECK(certainly_less(abs(band_of(fine) / gaussian - Ball(1)), Ball(0.01)));
}
