// The integrands of the moment integrals in floating point, from their definitions alone, and plain
// sums of their sizes: what norms and tails are held against (a part in 10^6 is left to the sums).
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit::test {

using Complex = std::complex<double>;

/// log F at a point of the strip of analyticity.
using LogIntegrand = std::function<Complex(Complex)>;

constexpr double log_sqrt_two_pi = 0.91893853320467274178;

struct MixtureInDoubles {
  std::vector<double> rates, weights;

  explicit MixtureInDoubles(const GaussianMixture& mixture) {
    for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
      rates.push_back(estimate(mixture.sensitivities[i] / mixture.sigma));
      weights.push_back(estimate(mixture.probabilities[i]));
    }
  }
  double greatest_rate() const { return rates.back(); }
  /// log f(y), principal: |arg f| < pi where |Im y| a_max < pi.
  Complex log_f(Complex y) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const double a : rates) most = std::max(most, a * y.real() - a * a / 2);
    Complex sum = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      sum += weights[i] * std::exp(rates[i] * y - rates[i] * rates[i] / 2 - most);
    }
    return std::log(sum) + most;
  }
};

/// phi f^w.
inline LogIntegrand mixture_integrand(const MixtureInDoubles& m, Complex w) {
  return [m, w](Complex y) { return w * m.log_f(y) - y * y / 2.0 - log_sqrt_two_pi; };
}

/// phi a(y)^{1+z} a(-y)^{-z}.
inline LogIntegrand mirrored_integrand(const MixtureInDoubles& m, Complex z) {
  return [m, z](Complex y) {
    return (1.0 + z) * m.log_f(y) - z * m.log_f(-y) - y * y / 2.0 - log_sqrt_two_pi;
  };
}

/// log(1 + e^zeta) for |Im zeta| < pi.
inline Complex softplus(Complex zeta) {
  return zeta.real() > 30 ? zeta : std::log(1.0 + std::exp(zeta));
}

/// phi f^w -dy/dzeta for y = cut - log(1 + e^zeta).
inline LogIntegrand cut_integrand(const MixtureInDoubles& m, double cut, Complex w) {
  return [m, cut, w](Complex zeta) {
    const Complex rise = softplus(zeta), y = cut - rise;
    return zeta - rise - y * y / 2.0 + w * m.log_f(y) - log_sqrt_two_pi;
  };
}

/// phi f^w dy/dzeta for y = a/2 + log(1 + e^zeta), f = 1 - q + q e^{a y - a^2/2}.
inline LogIntegrand half_integrand(double a, double q, Complex w) {
  return [a, q, w](Complex zeta) {
    const Complex rise = softplus(zeta), y = a / 2 + rise;
    const double most = std::max(0.0, a * rise.real());
    const Complex log_f =
        std::log((1 - q) * std::exp(-most) + q * std::exp(a * rise - most)) + most;
    return zeta - rise - y * y / 2.0 + w * log_f - log_sqrt_two_pi;
  };
}

/// e^{-(l+a)/2} f^w / 4 dl/dzeta for l = a tanh zeta, f = 1 - q + q e^l.
inline LogIntegrand interval_integrand(double a, double q, Complex w) {
  return [a, q, w](Complex zeta) {
    const Complex fall = std::exp(zeta.real() > 0 ? -2.0 * zeta : 2.0 * zeta);
    const Complex l = (zeta.real() > 0 ? a : -a) * (1.0 - fall) / (1.0 + fall);
    const Complex log_slope = std::log(4.0 * fall) - 2.0 * std::log(1.0 + fall);
    return std::log(a / 4) + log_slope - (l + a) / 2.0 + w * std::log(1.0 - q + q * std::exp(l));
  };
}

/// int |F(x + i height)| dx over [-reach, reach].
inline double norm_of(const LogIntegrand& log_f, double height, double reach, double step = 0.02) {
  double sum = 0;
  for (double x = -reach + step / 2; x < reach; x += step) {
    sum += std::exp(log_f(Complex(x, height)).real());
  }
  return step * sum;
}

/// d sum |F(j d + i height)| over j < first and j > last.
inline double sum_outside(const LogIntegrand& log_f, double height, long first, long last,
                          double d) {
  const auto size = [&](long j) {
    return std::exp(log_f(Complex(static_cast<double>(j) * d, height)).real());
  };
  double sum = 0;
  const long more = static_cast<long>(40 / d);
  for (long j = 1; j <= more; ++j) sum += size(first - j) + size(last + j);
  return d * sum;
}

/// Whether a sum in floating point allows the bound; sums that overflow tell nothing.
inline bool may_be(double truth, const Ball& bound) {
  return !std::isfinite(truth) || certainly_less_equal(Ball(truth * (1 - 1e-6)), bound.upper());
}

}  // namespace plaudit::test
