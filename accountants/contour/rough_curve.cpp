#include "accountants/contour/rough_curve.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "accountants/contour/cut_contour.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// Components are left out of mixtures where that costs less than e^-rare_slack of the wanted
/// width.
constexpr double rare_slack = 8;
/// For a wanted log probability l a composition from which e^k < e^l was left out serves too,
/// unless k < much_finer * l - much_finer_nats: then it has many more components than it needs.
constexpr double much_finer = 2;
constexpr double much_finer_nats = 60;
constexpr double least_epsilon = 1e-12;

// Where a few huge draws rule.
constexpr int most_cuts = 4;
constexpr int most_refinements = 8;
constexpr double refinement = 1.5;  ///< of the log of the probability left out
constexpr double log_rare = -1;     ///< log of the mass of all draws that the usual run lacks
constexpr double several = 1.5;  ///< huge draws at the saddle point: with more of them it is right
/// Huge draws: with fewer of them at the saddle point, the loss is not made of them. Where one
/// makes it, they are 0.1 to 1.5 (measured on 80 far tails of sampled Gaussians); where none does,
/// 0.
constexpr double hardly_any = 0.01;
constexpr double small_order = 1e-3;      ///< where the moments are those of the law itself
constexpr double room_for_others = 1.03;  ///< by which other draws add to the one
constexpr long bits_of_one_draw[] = {64, 192};
constexpr long enough_bits_of_one_draw = 12;
constexpr double accuracy_of_one_draw = 1e-3;
constexpr double most_excess = 1e6;  ///< in place of the log of 0
constexpr int most_calls = 40;

}  // namespace

bool variance_jumps(CumulantTable& table, double order) {
  constexpr double order_below = 1.0 / 3;  // both in units of the order
  constexpr double order_beyond = 1.3;
  constexpr double least_rise = 3;
  return table.at(order_beyond * order).variance >
         least_rise * table.at(order_below * order).variance;
}

RoughCurve::RoughCurve(const ComposedLoss& loss, int digits)
    : loss_(loss), wanted_nats_(digits * log_ten) {}

void RoughCurve::leave_out(double log_mass) {
  if (ground_ && ground_->log_mass <= log_mass &&
      ground_->log_mass > much_finer * log_mass - much_finer_nats) {
    return;
  }
  if (ground_ && !ground_->changed() && log_mass <= ground_->asked) return;
  ground_ = frequent_composition(loss_, log_mass);
}

void RoughCurve::leave_out_below(double log_delta, double nats) {
  leave_out(log_delta - nats - rare_slack);
}

double RoughCurve::log_delta(double epsilon, const Enclosure& band) {
  if (certainly_positive(band.lower) && certainly_less(band.upper, ldexp(band.lower, 3))) {
    return band.upper.estimate_log();
  }
  const double lost = wanted_nats_ + slack_nats + rare_slack;
  double value = 0;
  for (int i = 0; i < most_refinements; ++i) {
    value = saddle_log_delta(epsilon);
    if (!(value - lost < ground_->log_mass)) break;  // else what was left out may matter
    leave_out(std::min(value - lost, refinement * ground_->log_mass));
  }
  // Where the saddle-point value contradicts the band, the band is right.
  return std::clamp(value, band.lower.estimate_log(), band.upper.estimate_log());
}

double RoughCurve::saddle_log_delta(double epsilon) {
  const double order = table().saddle(epsilon);
  double value = table().log_delta(epsilon, order);
  for (int i = 0; i < most_cuts && variance_jumps(table(), order); ++i) {
    const auto cut = cut_composition(table().laws(), value - wanted_nats_ - 2 * slack_nats);
    if (!cut) break;
    const double next = cut->table.log_delta(epsilon, cut->table.saddle(epsilon));
    // a rise means that draws just below the cut rule by now: the former value is the better one
    const bool settled = !(next < value - 2);
    value = std::min(value, next);
    if (settled) break;
  }
  return value;
}

double RoughCurve::epsilon(double log_delta) {
  return std::max(epsilon_guess(log_delta), least_epsilon);
}

double RoughCurve::epsilon_guess(double log_delta) {
  const double guess = table().epsilon_for(log_delta);
  if (!variance_jumps(table(), table().saddle(guess))) return guess;
  const auto cut = cut_composition(table().laws(), log_delta - wanted_nats_ - 2 * slack_nats);
  if (!cut) return guess;
  // One draw alone makes a great loss, or many small ones do. The saddle point of draws that
  // happen once in many runs says too much; where several belong to it, it is right.
  const double saddle = cut->table.epsilon_for(log_delta);
  const auto bulk = cut_composition(table().laws(), log_rare);
  if (!bulk) return saddle;
  const double order = cut->table.saddle(saddle);
  const double huge_draws = cut->table.at(order).value - bulk->table.at(order).value;
  if (huge_draws > several || huge_draws < hardly_any) return saddle;
  const CumulantEstimate usual = bulk->table.at(small_order);
  const double many = usual.mean + std::sqrt(-2 * log_delta * usual.variance);
  if (!(many < saddle)) return saddle;
  const double least = std::max(many, least_epsilon);
  return room_for_others *
         epsilon_of_one_draw(log_delta, least / room_for_others, saddle / room_for_others);
}

/// Where the deltas of the steps, one by one, sum up to delta: that or the nearer one of the two
/// ends.
double RoughCurve::epsilon_of_one_draw(double log_delta, double least, double greatest) const {
  const auto log_sum = [&](double epsilon) {
    double total = 0;
    for (const ComposedLoss::Term& term : ground_->table.laws().terms()) {
      check_work_limit();
      Ball delta;
      for (const long bits : bits_of_one_draw) {  // what is far below 1 asks for more
        const PrecisionScope scope(bits);
        delta = term.loss->delta(Ball(epsilon));
        if (delta.relative_accuracy_bits() >= enough_bits_of_one_draw) break;
      }
      total += static_cast<double>(term.count) * delta.estimate();
    }
    return std::log(total);
  };
  // in log epsilon, where the log of the sum is nearly a parabola
  const auto excess = [&](double log_epsilon) {
    const double above = log_sum(std::exp(log_epsilon)) - log_delta;
    return std::isfinite(above) ? above : -most_excess;
  };
  const double low = std::log(least);
  const double at_low = excess(low);
  if (!(at_low > 0)) return least;
  const double high = std::log(greatest);
  const double at_high = excess(high);
  if (!(at_high < 0)) return greatest;
  std::uintmax_t calls = most_calls;
  const auto close = [](double a, double b) { return b - a < accuracy_of_one_draw; };
  return std::exp(
      boost::math::tools::toms748_solve(excess, low, high, at_low, at_high, close, calls).second);
}

}  // namespace plaudit
