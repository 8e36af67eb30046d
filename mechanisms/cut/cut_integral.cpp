#include "mechanisms/cut/cut_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm cut_quadrature_term{"cut.quadrature", "strip trapezoid on a half line"};
constexpr ErrorTerm cut_tails_term{"cut.tails", "ends of the integration over the half line"};
// The table, in the variable of the half line: far down the left, and beyond the cut.
constexpr double table_low = -40;
constexpr double table_beyond = 20;
constexpr double near_no_log = 0.1;  ///< log of the moment where it is taken from the moment - 1

double greatest_rate_of(const GaussianMixture& mixture) {
  return plaudit::estimate(mixture.sensitivities.back() / mixture.sigma);
}

}  // namespace

CutIntegral::CutIntegral(const GaussianMixture& mixture, double cut)
    : HalfLineIntegral(cut_quadrature_term, cut_tails_term, -1, short_double(cut),
                       greatest_rate_of(mixture)),
      mixture_(mixture),
      cut_(short_double(cut)),
      ratios_(mixture) {
  const MixtureEstimate estimate(mixture);
  const long last = checked_integer((cut_ + table_beyond) / table_step, "integral: the grid");
  for (long j = checked_integer(table_low / table_step, "integral: the grid"); j <= last; ++j) {
    places_.push_back(place(static_cast<double>(j) * table_step,
                            [&](double rise) { return estimate.log_f(cut_ - rise); }));
  }
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const double rate = plaudit::estimate(mixture.sensitivities[i] / mixture.sigma);
    rates_.push_back(rate);
    log_weights_.push_back(estimate_log(mixture.probabilities[i]) + rate * (cut_ - rate / 2));
  }
}

std::optional<Ball> CutIntegral::known(const Ball& r) const {
  if (!certainly_nonnegative(r)) throw std::domain_error("cut integral needs a nonnegative power");
  return std::nullopt;
}

Ball CutIntegral::greatest_rate() const { return ratio()->greatest_rate(); }

std::function<Ball(const Ball&)> CutIntegral::log_f() const {
  return [f = ratio(), cut = Ball(cut_)](const Ball& rise) { return f->log_value(cut - rise); };
}

std::function<ComplexBall(const ComplexBall&)> CutIntegral::complex_log_f() const {
  const Ball cut(cut_);
  std::vector<Ball> rates;
  std::vector<Ball> weights;
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    const Rational rate = mixture_.sensitivities[i] / mixture_.sigma;
    rates.emplace_back(rate);
    weights.push_back(Ball(mixture_.probabilities[i]) *
                      exp(Ball(Rational(-rate * rate / 2)) + rates.back() * cut));
  }
  return [rates = std::move(rates), weights = std::move(weights)](const ComplexBall& rise) {
    ComplexBall f;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (rates[i].is_exact_zero()) {
        f += ComplexBall(weights[i]);
        continue;
      }
      ComplexBall scaled = rise;
      ComplexBall term = exp(-scaled.scale(rates[i]));
      f += term.scale(weights[i]);
    }
    return log(f);  // arg f in [0, pi), so the principal logarithm is the right one
  };
}

/// |f| at most f on the real line: for r >= 0 no factor is needed.
Ball CutIntegral::turn(const Ball&, const Ball& r) const {
  return certainly_nonnegative(r) ? Ball(1) : positive_infinity();
}

// Proof: docs/proofs/cut.md#ends
Ball CutIntegral::outside(const Ball& r, const Strip& strip) const {
  const Ball cut(cut_);
  const Ball low = Ball(strip.d) * Ball(strip.first);
  const Ball high = Ball(strip.d) * Ball(strip.last);
  if (!certainly_less_equal(low, Ball(0)) || !certainly_greater_equal(high, cut) ||
      !certainly_nonnegative(r)) {
    return positive_infinity();
  }
  const auto f = ratio();
  const Ball lift =
      PLAUDIT_BOUND("cut.tail_gauss", exp(ldexp(square(Ball(strip.eta)), -1)), Ball(1));
  const Ball nearest =
      PLAUDIT_BOUND("cut.nearest_to_peak", clipped_nonnegative(cut - exp(low)).lower(), cut);
  const Ball left = normal_density(nearest) * exp(r * f->log_value(cut) + low);
  const Ball right = exp(r * f->log_value(cut - high)) * normal_cdf(cut - high);
  const Ball result = lift * (PLAUDIT_BOUND("cut.near_end", left, Ball(0)) +
                              PLAUDIT_BOUND("cut.far_end", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

CumulantEstimate CutIntegral::estimate(double r) const {
  CumulantEstimate result = tabulated_cumulant(places_, r);
  if (std::fabs(result.value) < near_no_log) {
    double excess = 0;  // near 1: sum what differs from the mass of (-inf, Y)
    for (const Place& p : places_) excess += std::exp(p.g) * std::expm1(r * p.l);
    result.value = std::log1p(excess - 0.5 * std::erfc(cut_ / std::numbers::sqrt2));
  }
  return result;
}

std::complex<double> CutIntegral::turned_log_f(const Place& p, std::complex<double> rise) const {
  std::complex<double> f = 0;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    f += std::exp(log_weights_[i] - rates_[i] * rise - p.l);
  }
  return std::log(f) + p.l;
}

StripIntegral::Window CutIntegral::window(double r, double drop, int) const {
  const double peak = log_peak(places_, r);
  const double edge = r * places_.front().l - cut_ * cut_ / 2 - log_sqrt_two_pi - peak;
  return {std::min(-2.0, -(drop + edge + 1)), cut_ + std::sqrt(2 * (drop + 5 + std::fabs(peak)))};
}

double CutIntegral::rough_points(double nats) const {
  return (nats + cut_ + std::sqrt(2 * nats)) / strip_step(greatest_height() / 2, nats + 2);
}

double CutIntegral::largest_exponent(const Strip&, double r, double s) const {
  return (r + s) * (std::fabs(places_.front().l) + 4) + cut_ * cut_;
}

}  // namespace plaudit
