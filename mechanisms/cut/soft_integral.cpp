#include "mechanisms/cut/soft_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm soft_quadrature_term{"soft_edge.quadrature", "docs/proofs/rare_draws.md#soft"};
constexpr ErrorTerm soft_tails_term{"soft_edge.tails", "docs/proofs/rare_draws.md#soft"};
constexpr double share_of_height = 0.97;
constexpr double outside_its_strip = 1e300;  ///< log of a norm
// The table of places.
constexpr double widest_place = 0.25;
constexpr double place_of_rate = 0.3;
constexpr double farthest_mode = 2000;  ///< beyond it orders are of no use
constexpr double seconds_of_place = 6e-8;
constexpr double seconds_of_sum = 1e-8;
constexpr double reach_of_table = 14;  ///< beyond the modes, in units of the noise

double log_one_plus_exp(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

}  // namespace

SoftIntegral::SoftIntegral(const GaussianMixture& mixture, const RareEdge& edge, Side side)
    : StripIntegral(soft_quadrature_term, soft_tails_term),
      sign_(side == Side::rare ? -1 : 1),
      edge_{short_double(edge.start), short_double(edge.steepness)},
      estimate_(mixture),
      ratios_(mixture) {
  if (!(edge_.start > 0) || !edge_.soft()) {
    throw std::domain_error("a soft edge of rare draws lies above 0 and rises");
  }
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const double rate = plaudit::estimate(mixture.sensitivities[i] / mixture.sigma);
    rates_.push_back(rate);
    log_weights_.push_back(estimate_log(mixture.probabilities[i]) - rate * rate / 2);
  }
}

// ---- the integrand

Ball SoftIntegral::weight(const Ball& y) const {
  return Ball(1) / (Ball(1) + exp(Ball(sign_ * edge_.steepness) * (y - Ball(edge_.start))));
}

void SoftIntegral::axis_points(const Strip& strip, const Sink<Ball>& sink) const {
  const std::vector<Ball> logs = ratios_.get()->logs_on_grid(strip.d, strip.first, strip.last);
  const Ball d(strip.d);
  for (long j = strip.first; j <= strip.last; ++j) {
    const Ball y = d * Ball(j);
    sink(logs[static_cast<std::size_t>(j - strip.first)], log(weight(y)) - ldexp(square(y), -1));
  }
}

void SoftIntegral::line_points(const Strip& strip, const Sink<ComplexBall>& sink) const {
  const Ball d(strip.d);
  const Ball eta(strip.eta);
  const Ball slope(sign_ * edge_.steepness);
  const ComplexBall turn(cos(slope * eta), sin(slope * eta));
  long j = strip.first;
  for (const ComplexBall& f : ratios_.get()->on_grid(strip.d, strip.first, strip.last, eta)) {
    const Ball y = d * Ball(j++);
    // 1 + e^(slope (y + i eta - Y)): its argument lies within (-pi, pi), as |slope eta| < pi
    ComplexBall grown = turn;
    grown.scale(exp(slope * (y - Ball(edge_.start))));
    const ComplexBall log_weight = -log1p(grown);
    sink(log(f), log_weight + ComplexBall(ldexp(square(eta) - square(y), -1), -(y * eta)));
  }
}

std::optional<Ball> SoftIntegral::known(const Ball& r) const {
  if (!certainly_nonnegative(r)) {
    throw std::domain_error("integral with a soft edge needs a nonnegative power");
  }
  return std::nullopt;
}

// Proof: docs/proofs/rare_draws.md#soft
std::vector<StripIntegral::Norm> SoftIntegral::norms(double e, const Ball& r, const Ball& s_max,
                                                     double) const {
  const Ball angle = abs(Ball(e));
  const auto f = ratios_.get();
  const Ball half = ldexp(Ball(edge_.steepness) * angle, -1);
  if (!certainly_nonnegative(r) || !certainly_less(angle * f->greatest_rate(), pi()) ||
      !certainly_less(half, PLAUDIT_BOUND("soft_edge.poles", ldexp(pi(), -1), pi()))) {
    return {{positive_infinity(), Ball(0)}};
  }
  Ball slope = PLAUDIT_BOUND("soft_edge.norm_gauss", exp(ldexp(square(angle), -1)), Ball(1)) /
               PLAUDIT_BOUND("soft_edge.norm_weight", cos(half), Ball(1));
  if (e < 0) {
    slope *= exp(PLAUDIT_BOUND("soft_edge.norm_angle", s_max, Ball(0)) *
                 f->turn_angle(angle, std::nullopt));
  }
  return {{slope.is_finite() ? slope.upper() : positive_infinity(), Ball(0)}};
}

// Proof: docs/proofs/rare_draws.md#soft
Ball SoftIntegral::outside(const Ball& r, const Strip& strip) const {
  if (!certainly_nonnegative(r)) return positive_infinity();
  const auto f = ratios_.get();
  const Ball d(strip.d);
  const Ball eta(strip.eta);
  const Ball low = d * Ball(strip.first);
  const Ball high = d * Ball(strip.last);
  // the weight is monotone: beyond one end it is at most its value there, beyond the other at most
  // 1
  const Ball left =
      f->left_tail(r, strip.first, strip.d) *
      (sign_ < 0 ? PLAUDIT_BOUND("soft_edge.left_weight", weight(low), Ball(0)) : Ball(1));
  const Ball right =
      f->right_tail(r, strip.last, strip.d) *
      (sign_ > 0 ? PLAUDIT_BOUND("soft_edge.right_weight", weight(high), Ball(0)) : Ball(1));
  const Ball lift =
      PLAUDIT_BOUND("soft_edge.tail_lift",
                    exp(ldexp(square(eta), -1)) / cos(ldexp(Ball(edge_.steepness) * eta, -1)),
                    ldexp(Ball(1), -30));
  const Ball result = lift * (PLAUDIT_BOUND("soft_edge.left_tail", left, Ball(0)) +
                              PLAUDIT_BOUND("soft_edge.right_tail", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

double SoftIntegral::log_weight(double y) const {
  return -log_one_plus_exp(sign_ * edge_.steepness * (y - edge_.start));
}

std::span<const Place> SoftIntegral::places(double r, double reach) const {
  const double rate = estimate_.greatest_rate();
  const double step = std::min(widest_place, place_of_rate / rate);
  const long first = clamped_integer(std::floor(-reach / step), -most_index, most_index);
  const long last =
      clamped_integer(std::ceil((std::clamp(r * rate, edge_.start, farthest_mode) + reach) / step),
                      -most_index, most_index);
  if (table_.empty() || first < first_place_ || last > last_place_) {
    if (!table_.empty()) {
      first_place_ = std::min(first, first_place_);
      last_place_ = std::max(last, last_place_);
    } else {
      first_place_ = first;
      last_place_ = last;
    }
    check_work_limit(static_cast<double>(last_place_ - first_place_) * seconds_of_place);
    table_.clear();
    for (long j = first_place_; j <= last_place_; ++j) {
      const double y = static_cast<double>(j) * step;
      table_.push_back(
          {y, estimate_.log_f(y), log_weight(y) - y * y / 2 + std::log(step) - log_sqrt_two_pi});
    }
  }
  check_work_limit(static_cast<double>(last - first) * seconds_of_sum);
  return std::span<const Place>(table_).subspan(static_cast<std::size_t>(first - first_place_),
                                                static_cast<std::size_t>(last - first + 1));
}

CumulantEstimate SoftIntegral::estimate(double r) const {
  return tabulated_cumulant(places(r, reach_of_table), r);
}

TurnedPlace SoftIntegral::turned(const Place& place, double eta) const {
  const std::complex<double> y(place.x, eta);
  std::complex<double> f = 0;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    f += std::exp(log_weights_[i] + rates_[i] * y - place.l);
  }
  const std::complex<double> slope = sign_ * edge_.steepness * (y - edge_.start);
  const double turned_weight = slope.real() > 0
                                   ? -slope.real() - std::log(std::abs(1.0 + std::exp(-slope)))
                                   : -std::log(std::abs(1.0 + std::exp(slope)));
  // g holds the log of the step and of sqrt(2 pi)
  const double rest = place.g - log_weight(place.x) + place.x * place.x / 2;
  return {std::log(f) + place.l, rest + turned_weight - (y * y).real() / 2};
}

double SoftIntegral::estimate_log_decay(double r, double s, double* best_eta) const {
  return tabulated_log_decay(
      places(r, reach_of_table), r, s, greatest_height(),
      [this](const Place& place, double eta) { return turned(place, eta); }, best_eta);
}

double SoftIntegral::greatest_height() const {
  return share_of_height * std::numbers::pi / std::max(estimate_.greatest_rate(), edge_.steepness);
}

double SoftIntegral::log_norm(double e, double, double s_max) const {
  const double half = edge_.steepness * std::fabs(e) / 2;
  if (!(half < std::numbers::pi / 2)) return outside_its_strip;
  return e * e / 2 - std::log(std::cos(half)) +
         (e < 0 ? -e * s_max * estimate_.greatest_rate() : 0.0);
}

StripIntegral::Window SoftIntegral::window(double r, double drop, int attempt) const {
  const std::span<const Place> table =
      places(r, reach_of_table + std::sqrt(2 * std::max(drop, 0.0)));
  const double least = log_peak(table, r) - drop;
  Window result{0, 0};
  for (const Place& p : table) {
    if (!(r * p.l + p.g > least)) continue;
    result.low = std::min(result.low, p.x);
    result.high = std::max(result.high, p.x);
  }
  // the bound of the tail does not fall before the far mode
  if (attempt > 1) {
    result.high = std::max(result.high, r * estimate_.greatest_rate() + std::sqrt(2 * drop));
  }
  result.low -= widest_place;
  result.high += widest_place;
  return result;
}

double SoftIntegral::largest_exponent(const Strip& strip, double r, double s) const {
  const double most =
      std::max(std::fabs(estimate_.log_f(strip.low())), std::fabs(estimate_.log_f(strip.high())));
  const double reach = std::max(std::fabs(strip.low()), std::fabs(strip.high())) + edge_.start;
  return (std::fabs(r) + s) * (most + 4) + reach * reach + edge_.steepness * reach;
}

}  // namespace plaudit
