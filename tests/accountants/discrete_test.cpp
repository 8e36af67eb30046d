// Compositions of discrete noise: exactly on the lattice, against sums over all outcomes and
// against the Gaussian; samples of them on grids.
#include <doctest/doctest.h>

#include <cmath>

#include "accountants/closed/closed_form.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"
#include "support/outcomes.hpp"
#include "support/random.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure on_lattice(const std::string& spec, const Rational& epsilon, int digits,
                     Direction direction = Direction::remove) {
  return accountant("fourier(mode=lattice)")
      ->open(loss_from(spec, direction), Goal{digits})
      ->delta(epsilon);
}

/// sum_k C(n,k) p^k (1-p)^(n-k) (1 - e^(eps - (2k-n) e))_+, p = e^e / (1 + e^e): the composition of
/// n e-private mechanisms (Kairouz, Oh and Viswanath, Theorem 3.3), the finite part times
/// (1-delta)^n.
Ball private_sum(const Rational& e, const Rational& delta, long n, const Rational& epsilon) {
  const Ball p = Ball(1) / (Ball(1) + exp(-Ball(e)));
  Ball term = power(p, static_cast<std::uint64_t>(n));
  Ball sum;
  for (long k = 0; k <= n; ++k) {
    const Rational loss = (n - 2 * k) * e;
    if (loss <= epsilon) break;
    sum += term * -expm1(Ball(Rational(epsilon - loss)));
    term *= Ball(n - k) * (Ball(1) - p) / (Ball(k + 1) * p);
  }
  const Ball finite = power(Ball(Rational(1 - delta)), static_cast<std::uint64_t>(n));
  return delta == 0 ? sum : Ball(1) - finite * (Ball(1) - sum);
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
    const std::string gauss_spec =
        "discrete_gaussian(variance=" + to_string(v) + ", sensitivity=" + std::to_string(d) + ")";
    const Rational scale(random.integer(5, 40), 10);
    const Outcomes laplace = test::discrete_laplace(scale, d);
    const std::string laplace_spec =
        "discrete_laplace(scale=" + to_string(scale) + ", sensitivity=" + std::to_string(d) + ")";
    const Rational epsilon(random.integer(-100, 300), 100);
    INFO(gauss_spec, " ", laplace_spec, " at ", to_string(epsilon));
    const Outcomes two = product(gauss, gauss);
    const Ball exact = widened(direct_delta(two, Ball(epsilon)), Ball(1e-60));
    CHECK_BAND_MEETS(on_lattice(gauss_spec + "^2", epsilon, 25), exact);
    CHECK(reached(on_lattice(gauss_spec + "^2", epsilon, 25), 24));
    const Outcomes three = product(product(laplace, laplace), laplace);
    const Ball laplace_exact = direct_delta(three, Ball(epsilon));
    if (certainly_positive(laplace_exact)) {
      CHECK_BAND_MEETS(on_lattice(laplace_spec + "^3", epsilon, 25), laplace_exact);
    }
  }
}

TEST_CASE(
    "three steps of staircase noise, and a sampled one, by accountants of different methods") {
  const PrecisionScope scope(200);
  for (const char* gamma : {"0.1", "0.5", "0.7"}) {
    const std::string spec = std::string("staircase(epsilon=0.5, gamma=") + gamma + ")";
    const Outcomes one = test::staircase(Rational(1, 2), parse_rational(gamma));
    const Outcomes three = product(product(one, one), one);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Outcomes other = sampled(one, Rational(1, 4), direction);
      for (const char* epsilon : {"-0.3", "0", "0.25", "0.7", "1.2"}) {
        INFO(spec, " at ", epsilon, " ", std::string(name_of(direction)));
        const Rational at = parse_rational(epsilon);
        const Ball exact = direct_delta(three, Ball(at));
        CHECK_BAND_MEETS(on_lattice(spec + "^3", at, 25, direction), exact);
        const Ball beside = direct_delta(product(one, other), Ball(at));
        const ComposedLoss loss =
            loss_from(spec + " * poisson(" + spec + ", rate=0.25)", direction);
        for (const char* name : {"atom_sum", "moments"}) {
          const Enclosure band = accountant(name)->open(loss, Goal{6})->delta(at);
          INFO(std::string(name), " ", show(band));
          CHECK_BAND_MEETS(band, beside);
        }
      }
    }
  }
}

TEST_CASE("two steps of truncated geometric noise, and a sampled one") {
  const PrecisionScope scope(200);
  for (const long shift : {1L, 3L}) {
    const std::string spec =
        "truncated_discrete_laplace(scale=2, bound=5, sensitivity=" + std::to_string(shift) + ")";
    const Outcomes one = test::truncated_discrete_laplace(2, 5, shift);
    const Outcomes two = product(one, one);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Outcomes other = sampled(one, Rational(1, 4), direction);
      for (const char* epsilon : {"-0.3", "0", "0.25", "1.2"}) {
        INFO(spec, " at ", epsilon, " ", std::string(name_of(direction)));
        const Rational at = parse_rational(epsilon);
        const Ball exact = direct_delta(two, Ball(at));
        CHECK_BAND_MEETS(on_lattice(spec + "^2", at, 25, direction), exact);
        CHECK(reached(on_lattice(spec + "^2", at, 25, direction), 24));
        const Ball beside = direct_delta(product(one, other), Ball(at));
        const ComposedLoss loss =
            loss_from(spec + " * poisson(" + spec + ", rate=0.25)", direction);
        for (const char* name : {"atom_sum", "moments"}) {
          const Enclosure band = accountant(name)->open(loss, Goal{6})->delta(at);
          INFO(std::string(name), " ", show(band));
          CHECK_BAND_MEETS(band, beside);
        }
      }
    }
  }
}

TEST_CASE("two steps of truncated Laplace noise against an integral over the first one") {
  const double scale = 1;
  const double bound = 3;
  const auto beyond = [&](double v) {  // P(X >= v)
    const double u = std::clamp(v, -bound, bound);
    const double whole = 2 * -std::expm1(-bound / scale);
    const double tail = (std::exp(-std::fabs(u) / scale) - std::exp(-bound / scale)) / whole;
    return u >= 0 ? tail : 1 - tail;
  };
  const double infinite = beyond(bound - 1);
  const auto one_step = [&](double eps) {
    if (eps >= 1 / scale) return infinite;
    if (eps < -1 / scale) return 1 - std::exp(eps) * (1 - infinite);
    const double u = (1 + scale * eps) / 2;
    return beyond(u - 1) - std::exp(eps) * beyond(u);
  };
  const auto two_steps = [&](double eps) {
    const double ends[] = {1 - bound,
                           0,
                           std::clamp((eps + 1 - 1) / 2, 0.0, 1.0),
                           std::clamp((eps + 1 + 1) / 2, 0.0, 1.0),
                           1,
                           bound};
    double sum = infinite;
    for (int i = 0; i < 5; ++i) {
      const int cells = 20'000;
      const double width = (ends[i + 1] - ends[i]) / cells;
      for (int j = 0; j < cells; ++j) {
        const double y = ends[i] + (j + 0.5) * width;
        const double density =
            std::exp(-std::fabs(y - 1) / scale) / (2 * scale * -std::expm1(-bound / scale));
        sum += width * density * one_step(eps - (std::fabs(y) - std::fabs(y - 1)) / scale);
      }
    }
    return sum;
  };
  for (const char* epsilon : {"-0.4", "0", "0.3", "1.1", "1.7", "2.5"}) {
    const Rational at = parse_rational(epsilon);
    CAPTURE(epsilon);
    const Ball exact = widened(Ball(two_steps(estimate(at))), Ball(1e-8));
    for (const char* name : {"contour", "fourier", "moments"}) {
      const ComposedLoss loss = loss_from("truncated_laplace(1, 3)^2", Direction::remove);
      const Enclosure band = accountant(name)->open(loss, Goal{6})->delta(at);
      INFO(std::string(name), " ", show(band));
      CHECK_BAND_MEETS(band, exact);
    }
  }
}

TEST_CASE("samples of discrete noise on grids against sums over all outcomes") {
  Random random(92);
  const PrecisionScope scope(160);
  for (int i = 0; i < trials(usually(1, 3)); ++i) {
    const Rational v(random.integer(4, 40), 10);
    const long reach = 4 + static_cast<long>(20 * std::sqrt(estimate(v)));
    const Rational rate(random.integer(5, 95), 100);
    const std::string gauss =
        "poisson(discrete_gaussian(variance=" + to_string(v) + "), rate=" + to_string(rate) + ")";
    const std::string laplace =
        "poisson(discrete_laplace(scale=2, sensitivity=2), rate=" + to_string(rate) + ")";
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Outcomes one = sampled(test::discrete_gaussian(v, 1, reach), rate, direction);
      const Outcomes other = sampled(test::discrete_laplace(2, 2), rate, direction);
      const Rational epsilon(random.integer(1, 60), 100);
      const Ball exact = direct_delta(product(one, other), Ball(epsilon));
      const ComposedLoss loss = loss_from(gauss + " * " + laplace, direction);
      for (const char* name : {"fourier", "moments", "privacy_buckets"}) {
        const Enclosure band = accountant(name)->open(loss, Goal{4})->delta(epsilon);
        INFO(gauss, " ", laplace, " at ", to_string(epsilon), " ", std::string(name), " ",
             show(band));
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
    const Enclosure discrete = on_lattice(spec, epsilon, 30);
    const PrecisionScope scope(250);
    const Ball gaussian = gaussian_delta(Rational(1, 2), Ball(epsilon));
    // density of N(1/2, 1) at epsilon
    const Ball density = normal_density(Ball(epsilon) - Ball(0.5));
    const bool on_point = denominator(Rational(epsilon * 100)) == 1;
    const Ball expected =
        density * Ball(Rational(1, 10000)) * Ball(on_point ? Rational(-1, 12) : Rational(1, 24));
    const Ball difference = band_of(discrete) - gaussian;
    INFO(std::string(text), " ", show(discrete), " gaussian ", show(gaussian));
    CHECK(reached(discrete, 29));
    CHECK(certainly_less(abs(difference / expected - Ball(1)), Ball(0.001)));
  }
}

TEST_CASE("deltas far out are as accurate, whatever the window leaves out") {
  const Rational epsilon(20);
  const Enclosure band = on_lattice("discrete_gaussian(sigma=10)^100", epsilon, 12);
  CHECK(reached(band, 12));
  const PrecisionScope scope(500);
  const Ball gaussian = gaussian_delta(Rational(1, 2), Ball(epsilon));  // 1.8e-86
  CHECK(certainly_less(abs(band_of(band) / gaussian - Ball(1)), Ball(0.01)));
}

TEST_CASE("private mechanisms and randomised response: the known sums, to 30 digits") {
  for (const char* text : {"0", "0.35", "2", "17.03", "40"}) {
    const Rational epsilon = parse_rational(text);
    const PrecisionScope scope(600);
    const Ball pure = private_sum(Rational(1, 10), 0, 1000, epsilon);
    const Ball approximate = private_sum(Rational(1, 10), parse_rational("1e-8"), 1000, epsilon);
    for (const char* spec :
         {"pure(0.1)^1000", "randomized_response(0.1)^1000", "discrete_laplace(scale=10)^1000"}) {
      const Enclosure band = on_lattice(spec, epsilon, 30);
      INFO(std::string(spec), " at ", std::string(text), " ", show(band));
      CHECK_BAND_MEETS(band, pure);
      CHECK(reached(band, 30));
    }
    const Enclosure band = on_lattice("approximate(0.1, 1e-8)^1000", epsilon, 30);
    INFO(std::string(text), " ", show(band));
    CHECK_BAND_MEETS(band, approximate);
    CHECK(reached(band, 30));
  }
}

TEST_CASE(
    "samples of private mechanisms: the known amplification at one point, sums at two steps") {
  const PrecisionScope scope(160);
  const Rational rate(1, 5);
  const Ball e(Rational(1, 2));
  const Ball amplified = log1p(Ball(rate) * expm1(e));
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto law =
        loss_from("poisson(approximate(0.5, 1e-3), rate=0.2)", direction).terms()[0].loss;
    // (log(1 + q (e^eps - 1)), q delta)-private
    CHECK(certainly_less_equal(law->delta(amplified).lower(), Ball(Rational(1, 5000)).upper()));
    if (direction == Direction::remove)
      CHECK_OVERLAPS(law->delta(amplified), Ball(Rational(1, 5000)));
    Outcomes pair;  // without mass at infinity
    const Ball p = Ball(1) / (Ball(1) + exp(-e));
    pair.p = {p, Ball(1) - p};
    pair.q = {Ball(1) - p, p};
    const Outcomes one = sampled(pair, rate, direction);
    const ComposedLoss loss = loss_from("poisson(pure(0.5), rate=0.2)^2", direction);
    const Rational epsilon(3, 100);
    const Ball exact = direct_delta(product(one, one), Ball(epsilon));
    const Enclosure band =
        accountant("fourier(mode=lattice)")->open(loss, Goal{25})->delta(epsilon);
    CHECK_BAND_MEETS(band, exact);
    CHECK(reached(band, 25));
  }
}

TEST_CASE("epsilon on the lattice inverts delta") {
  for (const char* spec : {"discrete_gaussian(sigma=10)^100", "approximate(0.1, 1e-8)^100"}) {
    const auto curve =
        accountant("fourier(mode=lattice)")->open(loss_from(spec, Direction::add), Goal{20});
    const Rational delta = parse_rational("1e-5");
    const Enclosure epsilon = curve->epsilon(delta);
    INFO(std::string(spec), " ", show(epsilon));
    CHECK(reached(epsilon, 20));
    const PrecisionScope scope(200);
    CHECK(certainly_greater_equal(curve->delta(exact_rational(epsilon.lower)).upper, Ball(delta)));
    CHECK(certainly_less_equal(curve->delta(exact_rational(epsilon.upper)).lower, Ball(delta)));
  }
}

TEST_CASE("what mode lattice refuses") {
  const auto refuses = [](const std::string& spec) {
    return accountant("fourier(mode=lattice)")
        ->refusal(loss_from(spec, Direction::remove))
        .has_value();
  };
  CHECK(refuses("gaussian(sigma=1)"));
  CHECK(refuses("laplace(scale=1)"));
  CHECK(refuses("poisson(discrete_gaussian(sigma=1), rate=0.5)"));
  CHECK(refuses("pure(0.1) * poisson(pure(0.5), rate=0.2)"));
  CHECK_FALSE(refuses("discrete_laplace(scale=1) * discrete_laplace(scale=3)"));
  CHECK_FALSE(refuses("discrete_laplace(scale=1) * discrete_laplace(scale=1, sensitivity=3)"));
}

TEST_CASE("laws of different rational meshes are composed on the greatest common one") {
  const PrecisionScope scope(200);
  const std::string spec = "pure(0.2)^3 * approximate(0.3, 1e-4)^2";
  const Ball e(Rational(1, 5));
  const Ball f(Rational(3, 10));
  const auto weight = [](const Ball& eps, long up, long n) {
    const Ball p = Ball(1) / (Ball(1) + exp(-eps));
    Ball binomial(1);
    for (long i = 0; i < up; ++i) binomial *= Ball(n - i) / Ball(i + 1);
    return binomial * power(p, static_cast<std::uint64_t>(up)) *
           power(Ball(1) - p, static_cast<std::uint64_t>(n - up));
  };
  for (const char* text : {"0", "0.15", "0.6", "1.1"}) {
    const Rational epsilon = parse_rational(text);
    Ball sum;
    for (long i = 0; i <= 3; ++i) {
      for (long j = 0; j <= 2; ++j) {
        const Rational loss = Rational(2 * i - 3, 5) + Rational(3 * (2 * j - 2), 10);
        if (loss <= epsilon) continue;
        sum += weight(e, i, 3) * weight(f, j, 2) * -expm1(Ball(Rational(epsilon - loss)));
      }
    }
    const Ball exact = Ball(1) - square(Ball(Rational(9999, 10000))) * (Ball(1) - sum);
    const Enclosure band = on_lattice(spec, epsilon, 30);
    INFO(std::string(text), " ", show(band));
    CHECK_BAND_MEETS(band, exact);
    CHECK(reached(band, 30));
  }
}

TEST_CASE("samples of Laplace noise on a contour: 30 digits, inside the bands of the grids") {
  for (const char* spec : {"poisson(laplace(scale=2), rate=0.25)^1000",
                           "poisson(laplace(scale=1, sensitivity=2), rate=0.1)^300",
                           "poisson(laplace(scale=10), rate=0.5)^20000"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      INFO(std::string(spec), " ", std::string(name_of(direction)));
      const ComposedLoss loss = loss_from(spec, direction);
      const auto contour = accountant("contour")->open(loss, Goal{30});
      const Enclosure epsilon = contour->epsilon(parse_rational("1e-6"));
      CHECK_MESSAGE(reached(epsilon, 30), show(epsilon), " ", epsilon.remark);
      const auto grid = accountant("fourier")->open(loss, Goal{4});
      CHECK_BANDS_OVERLAP(grid->epsilon(parse_rational("1e-6")), epsilon);
      const Rational at = exactly(epsilon.upper.estimate());
      const Enclosure delta = contour->delta(at);
      CHECK(reached(delta, 30));
      const Enclosure wide = grid->delta(at);
      CHECK_BANDS_OVERLAP(wide, delta);
      CHECK(certainly_less(wide.upper - wide.lower, ldexp(delta.upper, -3)));
      // another contour
      const auto other = accountant("contour")->open(loss, Goal{12});
      CHECK_BANDS_OVERLAP(other->delta(at), delta);
    }
  }
}
