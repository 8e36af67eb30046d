#include "mechanisms/replacement/mirrored_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {
constexpr ErrorTerm quadrature_term{"mirrored.quadrature", "docs/proofs/mirrored.md#quadrature"};
constexpr ErrorTerm tails_term{"mirrored.tails", "docs/proofs/mirrored.md#tails"};
constexpr long most_places = 40000;
constexpr double widest_step = 0.3;
constexpr double step_of_rate = 0.75;
constexpr double table_drop = 40;  ///< nats from the peak to the ends of a table
constexpr double least_reach = 9;
constexpr double near_no_log = 0.1;       ///< log M where it is taken from M - 1
constexpr double invisible_share = -40;   ///< log of a component's share of f
constexpr double share_of_height = 0.97;  ///< of pi / a_max, for the strip
constexpr double drop_before_end = 5;     ///< nats that the mirrored half allows
constexpr double log_spare = 4;           ///< of log f beyond its values at the ends
constexpr double spare_nats = 2;          ///< by which the quadrature is to be finer than the tails
}  // namespace

MirroredIntegral::MirroredIntegral(const GaussianMixture& mixture)
    : StripIntegral(quadrature_term, tails_term), estimate_(mixture), ratios_(mixture) {
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    rates_.push_back(plaudit::estimate(mixture.sensitivities[i] / mixture.sigma));
    log_weights_.push_back(estimate_log(mixture.probabilities[i]) - rates_[i] * rates_[i] / 2);
  }
  table_step_ = std::min(widest_step, step_of_rate / estimate_.greatest_rate());
}

// ---- the integrand

void MirroredIntegral::axis_points(const Strip& strip, const Sink<Ball>& sink) const {
  const std::vector<Ball> logs = ratio()->logs_on_grid(strip.d, -strip.last, strip.last);
  const Ball d(strip.d);
  for (std::size_t j = 0; j < logs.size(); ++j) {
    const Ball y = d * Ball(static_cast<long>(j) - strip.last);
    sink(logs[j] - logs[logs.size() - 1 - j], logs[j] - ldexp(square(y), -1));
  }
}

void MirroredIntegral::line_points(const Strip& strip, const Sink<ComplexBall>& sink) const {
  const Ball d(strip.d);
  const Ball eta(strip.eta);
  // arg a lies in [0, a_max eta], below pi: the principal branch is the right one
  std::vector<ComplexBall> logs = ratio()->on_grid(strip.d, -strip.last, strip.last, eta);
  for (ComplexBall& value : logs) value = log(value);
  for (std::size_t j = 0; j < logs.size(); ++j) {
    const Ball y = d * Ball(static_cast<long>(j) - strip.last);
    // a(-(y + i eta)) is the conjugate of a(-y + i eta)
    sink(logs[j] - conjugate(logs[logs.size() - 1 - j]),
         logs[j] + ComplexBall(ldexp(square(eta) - square(y), -1), -(y * eta)));
  }
}

std::optional<Ball> MirroredIntegral::known(const Ball& t) const {
  if (t.is_exact_zero() || (t + Ball(1)).is_exact_zero()) return Ball(1);
  return std::nullopt;
}

// Proof: docs/proofs/mirrored.md#norm
std::vector<StripIntegral::Norm> MirroredIntegral::norms(double e, const Ball& t, const Ball& s_max,
                                                         double) const {
  const auto a = ratio();
  const Ball height(e);
  if (!certainly_less(abs(height) * a->greatest_rate(),
                      PLAUDIT_BOUND("mirrored.strip_without_zeros", pi(), ldexp(pi(), 1))))
    return {{positive_infinity(), Ball(0)}};
  const Ball gauss = PLAUDIT_BOUND("mirrored.norm_gauss", exp(ldexp(square(height), -1)), Ball(1));
  const Ball turned = a->turn_factor(t + Ball(1), height, std::nullopt);
  const Ball mirrored = a->turn_factor(-t, height, std::nullopt);
  Ball slope = gauss * PLAUDIT_BOUND("mirrored.norm_turned", turned, Ball(1)) *
               PLAUDIT_BOUND("mirrored.norm_mirrored", mirrored, Ball(1));
  const Ball angle = a->turn_angle(height, std::nullopt);
  if (e < 0) slope *= exp(ldexp(s_max * angle, PLAUDIT_BOUND("mirrored.norm_both_angles", 1, 0)));
  return {{slope.is_finite() ? slope.upper() : positive_infinity(), Ball(0)}};
}

// Proof: docs/proofs/mirrored.md#tails
Ball MirroredIntegral::outside(const Ball& t, const Strip& strip) const {
  if (strip.first != -strip.last) return positive_infinity();
  const auto a = ratio();
  const Ball edge = Ball(strip.d) * Ball(strip.last);
  const auto right = [&](const Ball& order) {
    if (!certainly_nonnegative(order) && !certainly_negative(order)) return positive_infinity();
    const Ball mirrored = certainly_nonnegative(order)
                              ? exp(-order * log(a->at_minus_infinity()))
                              : PLAUDIT_BOUND("mirrored.tail_factor_grows",
                                              max(Ball(1), exp(-order * a->log_value(-edge))),
                                              exp(-order * a->log_value(-edge)));
    return a->right_tail(order + Ball(1), strip.last, strip.d) *
           PLAUDIT_BOUND("mirrored.tail_factor", mirrored, Ball(1));
  };
  const Ball height(strip.eta);
  const Ball turned =
      a->turn_factor(t + Ball(1), height, std::nullopt) * a->turn_factor(-t, height, std::nullopt);
  const Ball both = PLAUDIT_BOUND("mirrored.right_tail", right(t), Ball(0)) +
                    PLAUDIT_BOUND("mirrored.left_tail", right(-Ball(1) - t), Ball(0));
  const Ball result =
      PLAUDIT_BOUND("mirrored.tail_gauss", exp(ldexp(square(height), -1)), Ball(1)) *
      PLAUDIT_BOUND("mirrored.tail_turned", turned, Ball(1)) * both;
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

std::vector<Place> MirroredIntegral::places(double t) const {
  const double reach = std::max({estimate_.window(1 + t, table_drop).high,
                                 estimate_.window(-t, table_drop).high, least_reach});
  const long last = clamped_integer(reach / table_step_, 0, most_places);
  std::vector<double> logs;
  for (long j = -last; j <= last; ++j) {
    logs.push_back(estimate_.log_f(static_cast<double>(j) * table_step_));
  }
  std::vector<Place> result;
  for (std::size_t j = 0; j < logs.size(); ++j) {
    const double y = (static_cast<double>(j) - static_cast<double>(last)) * table_step_;
    result.push_back({y, logs[j] - logs[logs.size() - 1 - j],
                      logs[j] - y * y / 2 + std::log(table_step_) - log_sqrt_two_pi});
  }
  return result;
}

CumulantEstimate MirroredIntegral::estimate(double t) const {
  const std::vector<Place> table = places(t);
  CumulantEstimate result = tabulated_cumulant(table, t);
  if (std::fabs(result.value) < near_no_log) {
    double excess = 0;  // M(t) - 1 = int phi a (e^{tL} - 1), by the pairs +-y: no cancellation
    for (const Place& p : table) {
      if (p.x > 0) excess += moment_excess(t, p.l, p.g - p.l);
    }
    result.value = std::log1p(excess);
  }
  return result;
}

double MirroredIntegral::estimate_log_decay(double t, double s, double* best_eta) const {
  const auto log_turned = [&](double y, double eta, double log_size) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const double size = log_weights_[i] + rates_[i] * y - log_size;
      if (size > invisible_share) sum += std::polar(std::exp(size), rates_[i] * eta);
    }
    return std::log(sum);
  };
  const auto turned = [&](const Place& p, double eta) -> TurnedPlace {
    const double log_a = p.g + p.x * p.x / 2 - std::log(table_step_) + log_sqrt_two_pi;
    const std::complex<double> right = log_turned(p.x, eta, log_a);
    const std::complex<double> left = log_turned(-p.x, eta, log_a - p.l);
    return {p.l + right - std::conj(left), p.g + eta * eta / 2 + right.real()};
  };
  return tabulated_log_decay(places(t), t, s, greatest_height(), turned, best_eta);
}

double MirroredIntegral::greatest_height() const {
  return share_of_height * std::numbers::pi / estimate_.greatest_rate();
}

double MirroredIntegral::log_norm(double e, double t, double s_max) const {
  const double spread = estimate_.greatest_rate() * std::fabs(e);
  if (spread >= 0.999 * std::numbers::pi) return 1e300;
  return spare_nats + e * e / 2 +
         (std::min(0.0, 1 + t) + std::min(0.0, -t)) * std::log(std::cos(spread / 2)) +
         (e < 0 ? 2 * s_max * spread : 0.0);
}

StripIntegral::Window MirroredIntegral::window(double t, double drop, int attempt) const {
  double reach = std::max({estimate_.window(1 + t, drop - drop_before_end).high,
                           estimate_.window(-t, drop - drop_before_end).high, 1.0});
  // A bump further out that hardly matters is passed where the bound of the tail is too rough.
  const double farthest = std::max(1 + t, -t) * estimate_.greatest_rate() + std::sqrt(2 * drop);
  if (attempt > 1) reach = std::max(reach, farthest);
  return {-reach, reach};
}

double MirroredIntegral::largest_exponent(const Strip& strip, double t, double s) const {
  const double high = strip.high();
  const double largest =
      std::fabs(estimate_.log_f(high)) + std::fabs(estimate_.log_f(-high)) + log_spare;
  return (1 + std::fabs(t) + s) * largest + high * high;
}

}  // namespace plaudit
