#include "mechanisms/samples/interval_integral.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "lib/constants.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm interval_quadrature_term{"interval.quadrature",
                                             "docs/certificates/lines.md#interval"};
constexpr ErrorTerm interval_tails_term{"interval.tails", "docs/certificates/lines.md#interval"};
constexpr double share_of_strip = 0.97;  ///< of the strip in which the integrand has no zeros
constexpr double norm_out_of_strip = 1e300;
// Of the table, in zeta: beyond its ends all weights are below e^-48 of those at the ends of l.
constexpr double reach_of_table = 24;
constexpr double step_of_table = 0.125;
constexpr double log_spare_of_ends = 1;  ///< of log f beyond its values at the ends
constexpr double nats_before_ends = 2;   ///< that a window keeps beyond what is asked

/// tanh zeta and log(1 / cosh^2 zeta): where `right`, by a form for Re zeta >= 0, else for <= 0.
template <class Number>
struct Bend {
  Number tanh;
  Number log_slope;
};
template <class Number>
Bend<Number> bend(const Number& zeta, bool right) {
  const Number one(1);
  const Number away = right ? -(zeta + zeta) : zeta + zeta;
  const Number fall = exp(away);
  const Number tanh = (one - fall) / (one + fall);
  const Number half = log1p(fall);
  return {right ? tanh : -tanh, away - half - half + Number(ldexp(log(Ball(2)), 1))};
}

/// tanh zeta and log(1 / cosh^2 zeta) in floating point.
Bend<std::complex<double>> bend(std::complex<double> zeta) {
  const bool right = zeta.real() >= 0;
  const std::complex<double> away = right ? -2.0 * zeta : 2.0 * zeta;
  const std::complex<double> fall = std::exp(away);
  const std::complex<double> tanh = (1.0 - fall) / (1.0 + fall);
  return {right ? tanh : -tanh, away - 2.0 * std::log(1.0 + fall) + 2 * std::numbers::ln2};
}

/// StripIntegral divides its sums by sqrt(2 pi), which the weights of other integrals lack.
Ball log_root_of_two_pi() { return ldexp(log(ldexp(pi(), 1)), -1); }

}  // namespace

IntervalIntegral::IntervalIntegral(Rational ratio, Rational rate)
    : StripIntegral(interval_quadrature_term, interval_tails_term),
      ratio_(std::move(ratio)),
      rate_(std::move(rate)),
      a_(plaudit::estimate(ratio_)),
      q_(plaudit::estimate(rate_)) {
  for (double x = -reach_of_table; x <= reach_of_table; x += step_of_table) {
    const auto [tanh, log_slope] = bend(std::complex<double>(x));
    const double l = a_ * tanh.real();
    const double log_f = l > 1 ? log_ratio(l, q_) : std::log1p(q_ * std::expm1(l));
    places_.push_back(
        {x, log_f, std::log(a_ / 4 * step_of_table) + log_slope.real() - (l + a_) / 2});
  }
}

// ---- the integrand

void IntervalIntegral::axis_points(const Strip& strip, const Sink<Ball>& sink) const {
  const Ball a(ratio_);
  const Ball q(rate_);
  const Ball d(strip.d);
  const Ball front = log(ldexp(a, -2)) + log_root_of_two_pi();
  for (long j = strip.first; j <= strip.last; ++j) {
    const auto [tanh, log_slope] = bend(d * Ball(j), j >= 0);
    const Ball l = a * tanh;
    sink(log1p(q * expm1(l)), front + log_slope - ldexp(l + a, -1));
  }
}

void IntervalIntegral::line_points(const Strip& strip, const Sink<ComplexBall>& sink) const {
  const ComplexBall a{Ball(ratio_)};
  const Ball q(rate_);
  const Ball d(strip.d);
  const Ball eta(strip.eta);
  const ComplexBall front(log(ldexp(Ball(ratio_), -2)) + log_root_of_two_pi());
  for (long j = strip.first; j <= strip.last; ++j) {
    const auto [tanh, log_slope] = bend(ComplexBall(d * Ball(j), eta), j >= 0);
    const ComplexBall l = a * tanh;
    // arg f lies in [0, pi), so the principal logarithm is the right one
    ComplexBall excess = exp(l) - ComplexBall(1);
    sink(log1p(excess.scale(q)), front + log_slope - ldexp(l + a, -1));
  }
}

Ball IntervalIntegral::greatest_turn(const Ball& e) const {
  if (!certainly_less(e, ldexp(pi(), -2))) return positive_infinity();
  const Ball omega = Ball(ratio_) * sin(e) / cos(e);
  return certainly_less(omega,
                        PLAUDIT_BOUND("interval.strip_without_zeros", pi(), Ball(ldexp(pi(), 1))))
             ? omega
             : positive_infinity();
}

Ball IntervalIntegral::turned(const Ball& omega, const Ball& r) const {
  if (certainly_nonnegative(r)) return Ball(1);
  const Ball cosine = cos(ldexp(omega, -1));
  if (!certainly_positive(cosine)) return positive_infinity();
  const Ball factor = exp(r * log(cosine));
  return factor.is_finite() ? PLAUDIT_BOUND("interval.turned", max(factor, Ball(1)), Ball(1))
                            : positive_infinity();
}

// Proof: docs/certificates/lines.md#interval
std::vector<StripIntegral::Norm> IntervalIntegral::norms(double e, const Ball& r, const Ball& s_max,
                                                         double) const {
  const Ball height = abs(Ball(e));
  const Ball omega = greatest_turn(height);
  if (!omega.is_finite()) return {{positive_infinity(), Ball(0)}};
  Ball slope =
      turned(omega, r) / PLAUDIT_BOUND("interval.norm_cosine", cos(ldexp(height, 1)), Ball(1));
  if (e < 0) slope *= exp(PLAUDIT_BOUND("interval.norm_angle", s_max, Ball(0)) * omega);
  return {{slope.is_finite() ? slope.upper() : positive_infinity(), Ball(0)}};
}

// Proof: docs/certificates/lines.md#interval
Ball IntervalIntegral::outside(const Ball& r, const Strip& strip) const {
  if (strip.first > 0 || strip.last < 0) return positive_infinity();
  const Ball a(ratio_);
  const Ball q(rate_);
  const Ball omega = greatest_turn(Ball(strip.eta));
  if (!omega.is_finite()) return positive_infinity();
  const auto greatest = [&](const Ball& l) {
    return PLAUDIT_BOUND("interval.end_grows", max(Ball(1), exp(r * log1p(q * expm1(l)))), Ball(1));
  };
  const auto beyond = [&](long j) { return exp(-ldexp(Ball(strip.d) * Ball(std::labs(j)), 1)); };
  const Ball left = greatest(-a) * beyond(strip.first);
  const Ball right = greatest(a) * exp(-ldexp(a, -1)) * beyond(strip.last);
  const Ball result = turned(omega, r) * ldexp(a, -1) *
                      (PLAUDIT_BOUND("interval.left_end", left, Ball(0)) +
                       PLAUDIT_BOUND("interval.right_end", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

double IntervalIntegral::estimate_log_decay(double r, double s, double* best_eta) const {
  const auto turned_place = [&](const Place& p, double eta) -> TurnedPlace {
    const auto [tanh, log_slope] = bend(std::complex<double>(p.x, eta));
    const std::complex<double> l = a_ * tanh;
    return {log_ratio(l, q_),
            std::log(a_ / 4 * step_of_table) + (log_slope - (l + a_) / 2.0).real()};
  };
  return tabulated_log_decay(places_, r, s, greatest_height(), turned_place, best_eta);
}

double IntervalIntegral::greatest_height() const {
  return share_of_strip * std::min(std::numbers::pi / 4, std::atan(std::numbers::pi / a_));
}

double IntervalIntegral::log_norm(double e, double r, double s_max) const {
  const double height = std::fabs(e);
  const double omega = a_ * std::tan(height);
  if (!(height < share_of_strip * std::numbers::pi / 4) || !(omega < std::numbers::pi)) {
    return norm_out_of_strip;
  }
  return std::min(r, 0.0) * std::log(std::cos(omega / 2)) - std::log(std::cos(2 * height)) +
         (e < 0 ? s_max * omega : 0.0);
}

/// Beyond the table the integrand falls by two nats for each unit of zeta.
StripIntegral::Window IntervalIntegral::window(double r, double drop, int) const {
  const double least = log_peak(places_, r) - drop - nats_before_ends;
  const auto height = [&](const Place& p) { return r * p.l + p.g; };
  const auto matters = [&](const Place& p) { return height(p) > least; };
  const auto first = std::find_if(places_.begin(), places_.end(), matters);
  const auto last = std::find_if(places_.rbegin(), places_.rend(), matters);
  if (first == places_.end()) return {-infinity, infinity};  // powers beyond doubles: no sum
  const double below = std::max(0.0, (height(places_.front()) - least) / 2);
  const double above = std::max(0.0, (height(places_.back()) - least) / 2);
  return {std::min(0.0, first->x - step_of_table - below),
          std::max(0.0, last->x + step_of_table + above)};
}

double IntervalIntegral::largest_exponent(const Strip& strip, double r, double s) const {
  const double largest_log = std::max(std::fabs(places_.front().l), std::fabs(places_.back().l));
  return (std::fabs(r) + s) * (largest_log + log_spare_of_ends) + a_ +
         2 * std::max(std::fabs(strip.low()), std::fabs(strip.high()));
}

}  // namespace plaudit
