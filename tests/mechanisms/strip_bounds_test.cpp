// Norms on the edges of strips and what lies outside of grids, for the integrals over half lines
// and the mirrored ones, against sums in floating point (a part in 10^6 is left to these).
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "lib/precision.hpp"
#include "mechanisms/cut_integral.hpp"
#include "mechanisms/half_integral.hpp"
#include "mechanisms/mirrored_loss.hpp"
#include "mechanisms/mixture_bounds.hpp"
#include "support/containment.hpp"
#include "support/mixtures.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

using Complex = std::complex<double>;

constexpr double sqrt_two_pi = 2.5066282746310005;
constexpr double shy = 1 - 1e-6;

struct Mixture {
  std::vector<double> rates, weights;

  explicit Mixture(const GaussianMixture& mixture) {
    for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
      rates.push_back(estimate(mixture.sensitivities[i] / mixture.sigma));
      weights.push_back(estimate(mixture.probabilities[i]));
    }
  }
  /// log f(y), principal: |arg f| < pi where |Im y| a_max < pi.
  Complex log_f(Complex y) const {
    double most = -1e300;
    for (const double a : rates) most = std::max(most, a * y.real() - a * a / 2);
    Complex sum = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      sum += weights[i] * std::exp(rates[i] * y - rates[i] * rates[i] / 2 - most);
    }
    return std::log(sum) + most;
  }
};

/// step * sum of |F| over x = (j + 1/2) step in [-reach, reach].
double integral(const std::function<double(double)>& size, double reach, double step) {
  double sum = 0;
  for (double x = -reach + step / 2; x < reach; x += step) sum += size(x);
  return step * sum;
}

double outside(const std::function<double(double)>& size, long first, long last, double d) {
  double sum = 0;
  const long more = static_cast<long>(40 / d);
  for (long j = 1; j <= more; ++j) {
    sum += size(static_cast<double>(first - j) * d) + size(static_cast<double>(last + j) * d);
  }
  return d * sum;
}

GaussianMixture random_with_zero(Random& random) {
  for (;;) {
    GaussianMixture mixture = random_mixture(random);
    if (mixture.sensitivities.front() == 0 && mixture.sensitivities.size() >= 2) return mixture;
  }
}

/// An angle of a strip of analyticity up to `most`, of either sign.
double random_angle(Random& random, double most) {
  return random.sign() * most *
         (random.one_in(2) ? random.uniform(0.8, 0.995) : random.uniform(0, 1));
}

bool may_be(double truth, const Ball& bound) {
  return !std::isfinite(truth) || certainly_less_equal(Ball(truth * shy), bound.upper());
}

}  // namespace

TEST_CASE("mirrored mixtures: norms and tails") {
  Random random(81);
  for (int i = 0; i < trials(250); ++i) {
    const GaussianMixture mixture = random_with_zero(random);
    const MirroredLoss loss(mixture);
    const Mixture m(mixture);
    const PrecisionScope scope(64);
    const LikelihoodRatio a(mixture);
    const double t = random.one_in(3) ? random.uniform(-1, 0) : random.uniform(-6, 5);
    const double most = std::min(std::numbers::pi / m.rates.back(), 2.5);
    const double e = random_angle(random, most);
    const double s = random.one_in(3) ? 0 : random.uniform(0, 4);
    const auto size = [&](double height, double slope) {
      return [&m, t, height, slope](double y) {
        const Complex right = m.log_f(Complex(y, height)), left = m.log_f(Complex(-y, height));
        return std::exp((height * height - y * y) / 2 + (1 + t) * right.real() - t * left.real() -
                        slope * (right.imag() + left.imag())) /
               sqrt_two_pi;
      };
    };
    const double reach = 12 + (std::fabs(t) + 2) * m.rates.back();
    const double step = 0.02;
    INFO(spec_of(mixture), " t ", t, " e ", e, " s ", s);
    const double axis = integral(size(0, 0), reach, step);
    const Ball norm = loss.norm(a, e, Ball(t), Ball(s), Ball(axis));
    CHECK(may_be(integral(size(e, s), reach, step), norm));
    CHECK(may_be(integral(size(e, 0), reach, step), norm));
    const double beyond = 1.02 * std::numbers::pi / m.rates.back();
    CHECK_FALSE(loss.norm(a, beyond, Ball(t), Ball(s), Ball(axis)).is_finite());
    MirroredLoss::Strip strip;
    strip.eta = std::fabs(e);
    strip.d = std::exp2(static_cast<double>(random.integer(-5, 2)));
    strip.last = static_cast<long>(random.uniform(0, random.one_in(2) ? 3 : reach / 2) / strip.d);
    const Ball rest = loss.outside(a, Ball(t), strip);
    CHECK(may_be(outside(size(strip.eta, 0), -strip.last, strip.last, strip.d), rest));
  }
}

TEST_CASE("cut mixtures: norms and ends") {
  Random random(82);
  for (int i = 0; i < trials(300); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const CutIntegral cut(mixture, std::exp(random.uniform(-2.5, 2)));
    const Mixture m(mixture);
    const PrecisionScope scope(64);
    const LikelihoodRatio f(mixture);
    // with great powers the mass lies at the cut
    const double r = random.one_in(4) ? 0 : random.uniform(0, random.one_in(3) ? 60 : 8);
    const double most = std::min(std::numbers::pi / 2, std::numbers::pi / m.rates.back());
    const double tau = random_angle(random, most);
    const double s = random.one_in(3) ? 0 : random.uniform(0, 4);
    const auto size = [&](double angle, double slope) {
      return [&m, &cut, r, angle, slope](double u) {
        const Complex zeta(u, -angle);
        const Complex rise = u > 30 ? zeta : std::log(1.0 + std::exp(zeta));
        const Complex y = cut.cut() - rise;
        const Complex log_f = m.log_f(y);
        return std::exp((zeta - rise - y * y / 2.0).real() + r * log_f.real() -
                        slope * log_f.imag()) /
               sqrt_two_pi;
      };
    };
    INFO(spec_of(mixture), " cut ", cut.cut(), " r ", r, " tau ", tau, " s ", s);
    const double axis = integral(size(0, 0), 60, 0.02);
    const Ball norm = cut.norm(f, tau, Ball(s), Ball(axis));
    CHECK(may_be(integral(size(tau, s), 60, 0.02), norm));
    if (std::fabs(tau) > 0.1) {
      const double beyond = 1.05 * std::numbers::pi / m.rates.back();
      if (beyond < 1.5) CHECK_FALSE(cut.norm(f, beyond, Ball(s), Ball(axis)).is_finite());
    }
    CutIntegral::Strip strip{std::fabs(tau), 0, 0, 0, 0};
    strip.d = std::exp2(static_cast<double>(random.integer(-5, 2)));
    strip.first = -static_cast<long>(random.uniform(0, random.one_in(2) ? 1 : 8) / strip.d);
    strip.last = static_cast<long>(
        std::ceil((cut.cut() + random.uniform(0, random.one_in(2) ? 16 : 5)) / strip.d));
    CHECK(may_be(outside(size(strip.eta, 0), strip.first, strip.last, strip.d),
                 cut.outside(f, Ball(r), strip)));
  }
}

TEST_CASE("half integrals: norms and ends") {
  Random random(83);
  for (int i = 0; i < trials(400); ++i) {
    const Rational distance(random.integer(1, 24), 4);
    Rational rate(random.integer(1, 99), random.one_in(4) ? 10000 : 100);
    double r = random.one_in(2) ? random.uniform(-6, 0) : random.uniform(0, 8);
    if (random.one_in(3)) r = random.uniform(-60, 0);  // the mass lies at the end of the half line
    if (random.one_in(4)) {  // f is near a zero of its continuation where there is mass
      rate = Rational(0.4 * std::exp(-estimate(distance) * random.uniform(0.7, 1.6)));
      r = random.uniform(-12, -2);
    }
    const HalfIntegral half(distance, rate);
    const double a = estimate(distance), q = estimate(rate);
    const PrecisionScope scope(64);
    const HalfIntegral::Constants c = half.constants();
    const double most = std::min(std::numbers::pi / 2, std::numbers::pi / a);
    const double tau = random_angle(random, most);
    const double s = random.one_in(3) ? 0 : random.uniform(0, 4);
    const auto size = [&](double angle, double slope) {
      return [a, q, r, angle, slope](double u) {
        const Complex zeta(u, angle);
        const Complex rise = u > 30 ? zeta : std::log(1.0 + std::exp(zeta));
        const Complex y = a / 2 + rise;
        const double most_log = std::max(0.0, a * rise.real());
        const Complex log_f =
            std::log((1 - q) * std::exp(-most_log) + q * std::exp(a * rise - most_log)) + most_log;
        return std::exp((zeta - rise - y * y / 2.0).real() + r * log_f.real() -
                        slope * log_f.imag()) /
               sqrt_two_pi;
      };
    };
    INFO("distance ", a, " rate ", q, " r ", r, " tau ", tau, " s ", s);
    const double axis = integral(size(0, 0), 80, 0.02);
    const Ball norm = half.norm(c, tau, Ball(r), Ball(s), Ball(axis));
    CHECK(may_be(integral(size(tau, s), 80, 0.02), norm));
    const double beyond = 1.05 * std::numbers::pi / a;
    if (beyond < 1.5) CHECK_FALSE(half.norm(c, beyond, Ball(r), Ball(s), Ball(axis)).is_finite());
    HalfIntegral::Strip strip{std::fabs(tau), 0, 0, 0, 0};
    strip.d = std::exp2(static_cast<double>(random.integer(-5, 2)));
    strip.first = -static_cast<long>(random.uniform(0, random.one_in(2) ? 1 : 8) / strip.d);
    const double far = random.uniform(-3, 6) + (random.one_in(2) ? 12 : 0);
    strip.last = static_cast<long>(std::max(0.0, r * a - a / 2 + far) / strip.d);
    CHECK(may_be(outside(size(strip.eta, 0), strip.first, strip.last, strip.d),
                 half.outside(c, Ball(r), strip)));
  }
}

TEST_CASE("mixtures: norms and tails") {
  Random random(84);
  int split = 0;
  for (int i = 0; i < trials(300); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const MixtureIntegral integral_of(mixture);
    const Mixture m(mixture);
    const PrecisionScope scope(64);
    const MixtureBounds bounds(integral_of);
    const double r = random.one_in(2) ? random.uniform(-12, 0) : random.uniform(0, 6);
    const double most = std::min(std::numbers::pi / m.rates.back(), 3.0);
    const double e = random_angle(random, most);
    const double s = random.one_in(3) ? 0 : random.uniform(0, random.one_in(2) ? 30 : 4);
    const auto size = [&m, r](double height, double slope) {
      return [&m, r, height, slope](double y) {
        const Complex log_f = m.log_f(Complex(y, height));
        return std::exp((height * height - y * y) / 2 + r * log_f.real() - slope * log_f.imag()) /
               sqrt_two_pi;
      };
    };
    const double reach = 12 + (std::fabs(r) + 1) * m.rates.back();
    INFO(spec_of(mixture), " r ", r, " e ", e, " s ", s);
    const double axis = integral(size(0, 0), reach, 0.02);
    const double d = std::exp2(static_cast<double>(random.integer(-5, 0)));
    const double truth =
        std::max(integral(size(e, s), reach, 0.02), integral(size(e, 0), reach, 0.02));
    for (const MixtureBounds::Norm& norm : bounds.norms(e, Ball(r), Ball(s), d)) {
      CHECK(may_be(truth, norm.at(Ball(axis))));
      split += certainly_positive(norm.base) ? 1 : 0;
    }
    const double beyond = 1.02 * std::numbers::pi / m.rates.back();
    CHECK_FALSE(bounds.norm(beyond, Ball(r), Ball(s), Ball(axis), d).is_finite());
    MixtureGrid grid;
    grid.d = std::exp2(static_cast<double>(random.integer(-5, 1)));
    grid.first = -static_cast<long>(random.uniform(0, random.one_in(2) ? 2 : reach / 2) / grid.d);
    grid.last = static_cast<long>(random.uniform(0, random.one_in(2) ? 2 : reach / 2) / grid.d);
    CHECK(may_be(outside(size(std::fabs(e), 0), grid.first, grid.last, grid.d),
                 bounds.outside(Ball(r), std::fabs(e), grid)));
    // one side alone
    grid.first = -static_cast<long>(60 / grid.d);
    CHECK(may_be(outside(size(std::fabs(e), 0), grid.first, grid.last, grid.d),
                 bounds.outside(Ball(r), std::fabs(e), grid)));
  }
  CHECK(split > 3);
}
