// B_Y(w) = int_Y^inf phi f^w against closed forms and against what the other two integrals leave,
// and its bounds at careless ends.
//
// For integers m, B_Y(m) = sum over m-tuples of components of prod p_i * e^{sum_{i<j} a_i a_j} *
// Phi(sum a_i - Y).
#include "mechanisms/mixtures/rare_draw_integral.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lib/balls/precision.hpp"
#include "mechanisms/mixtures/cut_integral.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "mechanisms/mixtures/rare_draw_loss.hpp"
#include "support/containment.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

GaussianMixture poisson_sample(const char* sigma, const char* rate) {
  const Rational q = parse_rational(rate);
  return normalised({parse_rational(sigma), {0, 1}, {1 - q, q}});
}

/// B_Y(m) for m = 0, 1, 2.
Ball moment_beyond(const GaussianMixture& mixture, int m, double start) {
  const Ball y(start);
  if (m == 0) return normal_cdf(-y);
  Ball sum;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const Ball p(mixture.probabilities[i]);
    const Ball a(Rational(mixture.sensitivities[i] / mixture.sigma));
    if (m == 1) {
      sum += p * normal_cdf(a - y);
      continue;
    }
    for (std::size_t j = 0; j < mixture.sensitivities.size(); ++j) {
      const Ball b(Rational(mixture.sensitivities[j] / mixture.sigma));
      sum += p * Ball(mixture.probabilities[j]) * exp(a * b) * normal_cdf(a + b - y);
    }
  }
  return sum;
}

Ball rare_ratio(const GaussianMixture& mixture, const Ball& y) {
  return LikelihoodRatio(mixture).log_value(y);
}

const GaussianMixture mixtures_beyond[] = {
    poisson_sample("1", "0.01"),
    poisson_sample("4", "0.00033"),
    poisson_sample("0.3", "0.2"),
    poisson_sample("0.05", "1e-9"),
    normalised({Rational(2), {0, 1, 3}, {Rational(1, 2), Rational(3, 8), Rational(1, 8)}}),
    normalised({Rational(1), {Rational(1, 3), 2}, {Rational(3, 4), Rational(1, 4)}}),
};

/// |phi(y) f(y)^r y'| at y = Y + log(1 + e^zeta), zeta = u + i eta.
Ball modulus(const GaussianMixture& mixture, double start, double power, double u, double eta) {
  const ComplexBall grown = exp(ComplexBall(Ball(u), Ball(eta)));
  const ComplexBall y = ComplexBall(Ball(start)) + log(ComplexBall(1) + grown);
  ComplexBall f;
  for (std::size_t c = 0; c < mixture.sensitivities.size(); ++c) {
    const Ball rate(Rational(mixture.sensitivities[c] / mixture.sigma));
    ComplexBall term = y;
    term = exp(term.scale(rate));
    f += term.scale(Ball(mixture.probabilities[c]) * exp(-ldexp(square(rate), -1)));
  }
  const Ball size = abs(exp(-ldexp(y * y, -1))) * abs(grown / (ComplexBall(1) + grown));
  return size * real_power(abs(f), Ball(power)) / sqrt(ldexp(pi(), 1));
}

}  // namespace

TEST_CASE("B_Y at integer powers") {
  for (const GaussianMixture& mixture : mixtures_beyond) {
    for (const double start : {0.5, 3.0, 8.0, 25.0}) {
      const RareDrawIntegral integral(mixture, start);
      for (const double nats : {20.0, 60.0, 150.0}) {
        const PrecisionScope scope(600);
        for (const int m : {0, 1, 2}) {
          const Ball truth = moment_beyond(mixture, m, integral.start());
          const Ball value = integral.on_axis(Ball(m), nats);
          CHECK_OVERLAPS(value, truth);
          CHECK_WIDTH_BELOW(value, std::exp(-nats + 3));
        }
      }
    }
  }
}

TEST_CASE("A_Y and B_Y add up to A, at complex powers too") {
  const PrecisionScope scope(300);
  for (const GaussianMixture& mixture : mixtures_beyond) {
    const MixtureIntegral whole(mixture);
    for (const double start : {1.5, 6.0}) {
      const CutIntegral below(mixture, start);
      const RareDrawIntegral above(mixture, start);
      for (const double r : {0.5, 2.0, 7.25}) {
        const LineValues all = whole.on_line(Ball(r), Ball(0.75), 9, 60);
        const LineValues one = below.on_line(Ball(r), Ball(0.75), 9, 60);
        const LineValues other = above.on_line(Ball(r), Ball(0.75), 9, 60);
        for (std::size_t k = 0; k < all.values.size(); ++k) {
          CHECK(overlaps(one.values[k] + other.values[k], all.values[k]));
        }
        const Ball bound = above.bound_beyond(Ball(r), Ball(3), 20);
        for (std::size_t k = 4; k < 9; ++k) {
          CHECK(certainly_less_equal(abs(other.values[k]).lower(), bound.upper()));
        }
      }
    }
  }
}

TEST_CASE("B_Y: careless strips and ends give wide enclosures, not wrong ones") {
  Random random(977);
  const PrecisionScope scope(300);
  int useful = 0;
  for (int i = 0; i < 400; ++i) {
    const GaussianMixture& mixture = mixtures_beyond[random.integer(0, 5)];
    const RareDrawIntegral integral(mixture, random.uniform(0.3, 6));
    StripIntegral::Strip strip;
    strip.v = random.uniform(0.05, 1.4);
    strip.d = std::ldexp(static_cast<double>(random.integer(1, 24)), -4);
    strip.first = random.integer(-40, 10);
    strip.last = strip.first + random.integer(0, 200);
    const int m = static_cast<int>(random.integer(0, 2));
    const auto value = integral.by_points(Ball(m), strip);
    if (!value) continue;
    CHECK_OVERLAPS(*value, moment_beyond(mixture, m, integral.start()));
    if (value->radius_double() < 0.1 * value->upper_double()) ++useful;
  }
  CHECK(useful > 20);
}

TEST_CASE("B_Y: quadrature and ends cannot be left out") {
  Random random(978);
  const PrecisionScope scope(300);
  bool quadrature_missed = false;
  bool tails_missed = false;
  for (int i = 0; i < usually(120, 400); ++i) {
    const GaussianMixture& mixture = mixtures_beyond[random.integer(0, 5)];
    const RareDrawIntegral integral(mixture, random.uniform(0.3, 6));
    StripIntegral::Strip strip;
    strip.v = 0.3;
    strip.d = random.one_in(2) ? 0.0625 : 0.75;
    strip.first = random.integer(-600, 0);
    strip.last = strip.first + random.integer(0, 1500);
    const Ball truth = moment_beyond(mixture, 2, integral.start());
    const auto holds = [&] {
      const auto value = integral.by_points(Ball(2), strip);
      return !value || overlaps(*value, truth);
    };
    CHECK(holds());
    {
      const Scaled without("rare_draw.quadrature", 0);
      if (!holds()) quadrature_missed = true;
    }
    const Scaled without("rare_draw.tails", 0);
    if (!holds()) tails_missed = true;
  }
  CHECK(quadrature_missed);
  CHECK(tails_missed);
}

TEST_CASE("B_Y at negative powers: the norm of a line, against a sum along it") {
  const PrecisionScope scope(100);
  constexpr double d = 1.0 / 16;
  int near = 0;
  for (const GaussianMixture& mixture : mixtures_beyond) {
    for (const double start : {0.5, 6.0, 4096.0}) {  // far out the norm is nearly attained
      const RareDrawIntegral integral(mixture, start);
      for (const double power : {-0.25, -4.0}) {
        for (const double angle : {0.3, 0.7}) {
          const Ball norm = integral.norms(angle, Ball(power), Ball(0), d).front().at(Ball(0));
          if (!norm.is_finite()) continue;
          Ball sum;
          for (int j = -500; j < 300; ++j) sum += modulus(mixture, start, power, d * j, angle);
          sum *= Ball(d * (1 - 1e-6));  // but for the error of the sum
          INFO("Y ", start, " r ", power, " angle ", angle);
          CHECK(certainly_less_equal(sum.lower(), norm));
          near += certainly_less(norm, sum * Ball(1.0005));
        }
      }
    }
  }
  CHECK(near > 0);
}

TEST_CASE("B_Y at negative powers: points left out on a line far above the axis") {
  const PrecisionScope scope(200);
  const GaussianMixture mixture = poisson_sample("4", "0.00033");  // f is nearly 1
  const RareDrawIntegral integral(mixture, 0.25);
  StripIntegral::Strip strip;
  strip.eta = 1.375;
  strip.d = 0.0625;
  strip.first = -1000;
  for (const long last : {48, 80, 112}) {
    strip.last = last;
    Ball sum;
    for (long j = last + 1; j <= last + 400; ++j) {
      sum +=
          modulus(mixture, integral.start(), -0.125, strip.d * static_cast<double>(j), strip.eta);
    }
    sum *= Ball(strip.d);
    CHECK(certainly_less_equal(sum.lower(), integral.outside(Ball(-0.125), strip)));
  }
}

TEST_CASE("B_Y: the bound of the points left out, against those points") {
  Random random(979);
  const PrecisionScope scope(200);
  for (int i = 0; i < trials(250); ++i) {
    const GaussianMixture& mixture = mixtures_beyond[random.integer(0, 5)];
    const RareDrawIntegral integral(mixture, random.uniform(0.2, 4));
    const LikelihoodRatio ratio(mixture);
    StripIntegral::Strip strip;
    strip.eta = random.one_in(3) ? 0 : random.uniform(0, 1.5);
    strip.d = std::ldexp(static_cast<double>(random.integer(1, 12)), -4);
    strip.first = random.integer(-60, 80);
    strip.last = strip.first + random.integer(0, 60);
    double power = random.one_in(3) ? 0 : random.uniform(0, 40);
    if (random.one_in(4)) {  // steep where the path turns into a straight line
      strip.eta = 0;
      strip.d = 0.0625;
      strip.first = random.integer(6, 40);
      strip.last = strip.first + 2000;
      power = 40;
    }
    if (random.one_in(3)) {
      power = -std::exp(random.uniform(-2, 8));
      strip.eta = std::min(strip.eta, 1.5 / std::max(1.0, ratio.greatest_rate().estimate()));
    }
    const Ball bound = integral.outside(Ball(power), strip);
    if (!bound.is_finite()) continue;
    Ball sum;
    for (long j = strip.first - 200; j <= strip.last + 400; ++j) {
      if (j >= strip.first && j <= strip.last) continue;
      sum += modulus(mixture, integral.start(), power, strip.d * static_cast<double>(j), strip.eta);
    }
    sum *= Ball(strip.d);
    INFO("r ", power, " eta ", strip.eta, " d ", strip.d, " ", strip.first, " to ", strip.last);
    CHECK(certainly_less_equal(sum.lower(), bound));
  }
}

TEST_CASE("B_Y at negative powers, against sums of its integrand, which falls") {
  const PrecisionScope scope(200);
  constexpr int cells = 500;
  for (const GaussianMixture& mixture : mixtures_beyond) {
    const LikelihoodRatio ratio(mixture);
    for (const double start : {0.5, 4.0}) {
      const RareDrawIntegral integral(mixture, start);
      for (const double r : {-0.5, -3.0, -40.0}) {
        const Ball value = integral.on_axis(Ball(r), 40);
        CHECK_WIDTH_BELOW(value, std::exp(-37));
        Ball upper;
        Ball lower;
        const double width = 4.0 / cells;
        for (int j = 0; j <= cells; ++j) {
          const Ball y(start + j * width);
          const Ball size = normal_density(y) * exp(Ball(r) * ratio.log_value(y)) * Ball(width);
          if (j < cells) upper += size;
          if (j > 0) lower += size;
          if (j == cells) upper += exp(Ball(r) * ratio.log_value(y)) * normal_cdf(-y);
        }
        CHECK(certainly_less_equal(lower.lower(), value.upper()));
        CHECK(certainly_less_equal(value.lower(), upper.upper()));
      }
    }
  }
}

TEST_CASE("B_Y at negative powers: careless strips hold, and what they leave out counts") {
  Random random(980);
  const PrecisionScope scope(300);
  int useful = 0;
  bool quadrature_missed = false;
  bool tails_missed = false;
  for (int i = 0; i < trials(usually(60, 120)); ++i) {
    const GaussianMixture& mixture = mixtures_beyond[random.integer(0, 5)];
    const RareDrawIntegral integral(mixture, random.uniform(0.3, 6));
    const double rate = integral.ratio()->greatest_rate().estimate();
    const double quarter = 1.57 / std::max(1.0, rate);
    const Ball r(-std::exp(random.uniform(-2, 9)));
    StripIntegral::Strip strip;
    const auto brief = [](double x) { return std::floor(x * 4096) / 4096; };
    strip.v = brief(random.uniform(0.1, 0.95) * quarter) + 1.0 / 4096;
    strip.d = brief(strip.v * random.uniform(0.5, 4)) + 1.0 / 4096;
    strip.first = -static_cast<long>(random.uniform(1, 40) / strip.d);
    strip.last = static_cast<long>(random.uniform(-5, 10) / strip.d);
    if (strip.first >= strip.last) continue;
    const Ball truth = integral.on_axis(r, 60);
    const auto holds_on_axis = [&] {
      const auto value = integral.by_points(r, strip);
      return !value || overlaps(*value, truth);
    };
    CHECK(holds_on_axis());
    const auto value = integral.by_points(r, strip);
    if (value && value->radius_double() < 0.1 * value->upper_double()) ++useful;
    {
      const Scaled without("rare_draw.quadrature", 0);
      if (!holds_on_axis()) quadrature_missed = true;
    }
    {
      const Scaled without("rare_draw.tails", 0);
      if (!holds_on_axis()) tails_missed = true;
    }
    // at heights, on lines above the axis
    strip.eta = brief(std::min(random.uniform(0, 1) * quarter, quarter - strip.v));
    if (!(strip.eta > 0)) continue;
    const Ball step(random.uniform(0.1, 2) * std::fabs(r.estimate()));
    const LineValues fine = integral.on_line(r, step, 4, 60);
    const LineValues coarse = integral.by_points(r, step, 4, strip, truth.upper());
    for (std::size_t k = 0; k < 4; ++k) CHECK(overlaps(fine.values[k], coarse.values[k]));
  }
  CHECK(15 * useful > trials(usually(60, 120)));
  CHECK(quadrature_missed);
  CHECK(tails_missed);
}

TEST_CASE("the two parts of a law") {
  const PrecisionScope scope(200);
  for (const GaussianMixture& mixture : mixtures_beyond) {
    const auto whole = gaussian_mixture_loss(mixture, Direction::remove);
    const FrequentDrawLoss frequent(mixture, 2.5, whole);
    const RareDrawLoss rare(mixture, 2.5, whole);
    CHECK_OVERLAPS(frequent.finite_mass() + rare.finite_mass(), Ball(1));
    CHECK_OVERLAPS(frequent.q_mass() + rare.q_mass(), Ball(1));
    CHECK_OVERLAPS(exp(rare.log_mgf(Ball(0))), rare.finite_mass());
    CHECK_OVERLAPS(exp(rare.log_mgf(Ball(-1))), rare.q_mass());
    CHECK_OVERLAPS(exp(frequent.log_mgf(Ball(0))), frequent.finite_mass());
    CHECK(frequent.mass_at_infinity().is_exact_zero());
    for (const double x : {-0.5, 0.0, 0.3, 2.0}) {
      CHECK_OVERLAPS(frequent.p_above(Ball(x)) + rare.p_above(Ball(x)), whole->p_above(Ball(x)));
      CHECK_OVERLAPS(frequent.q_above(Ball(x)) + rare.q_above(Ball(x)), whole->q_above(Ball(x)));
    }
    // at orders below -1, from above: int f^r over [Y, Y + 1/8] is less
    const Ball start(2.5);
    const Ball later = start + Ball(0.125);
    const Ball less =
        exp(Ball(-1.5) * rare_ratio(mixture, later)) * (normal_cdf(-start) - normal_cdf(-later));
    CHECK(certainly_less_equal(less, rare.mgf_upper(Ball(-2.5), 40)));
  }
}
