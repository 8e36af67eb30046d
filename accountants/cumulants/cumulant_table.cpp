#include "accountants/cumulants/cumulant_table.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>
#include <utility>

#include "accountants/cumulants/sketch.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {
constexpr double knots_per_e[] = {4, 16, 64};  ///< of the levels, for each factor e of x
constexpr double least_log_order = -35;
constexpr double greatest_log_order = 45;
constexpr double tiny = 1e-300;
// Between these d log(rise of K) / d log x is kept, whatever rounding makes of it.
constexpr double least_power = 0.5;
constexpr double greatest_power = 1e6;
constexpr double greatest_power_between_poles = 20;
constexpr double kink = 0.3;               ///< relative change of the power that wants nearer knots
constexpr double far_step = 4;             ///< factor between the orders of a walk
constexpr int most_calls = 60;             ///< of the root finder between two of them
constexpr double most_excess = 1e60;       ///< in place of infinities: interpolation needs numbers
constexpr long bits_of_mass[] = {40, 80};  ///< precisions for a mass, until enough of it is known
constexpr long enough_bits_of_mass = 20;
constexpr double same_order = 1e-9;  ///< relative

/// Cubic Hermite interpolation on [0, 1] from values and slopes at the ends.
class Hermite {
 public:
  Hermite(double left, double right, double slope_left, double slope_right)
      : c0_(left),
        c1_(slope_left),
        c2_(3 * (right - left) - 2 * slope_left - slope_right),
        c3_(slope_left + slope_right - 2 * (right - left)) {}
  double value(double x) const { return c0_ + x * (c1_ + x * (c2_ + x * c3_)); }
  double slope(double x) const { return c1_ + x * (2 * c2_ + 3 * x * c3_); }

 private:
  double c0_, c1_, c2_, c3_;
};

template <class Mass>
double rough_log(Mass&& mass) {
  double result = 0;
  for (const long bits : bits_of_mass) {  // a small rest of a mass asks for more
    const PrecisionScope scope(bits);
    const Ball value = mass();
    result = value.estimate_log();
    if (value.relative_accuracy_bits() >= enough_bits_of_mass) break;
  }
  return result;
}
}  // namespace

CumulantTable::CumulantTable(const ComposedLoss& loss, bool interpolates)
    : loss_(loss), interpolates_(interpolates) {}

const ComposedLoss& CumulantTable::laws() {
  if (std::exchange(sketches_, false)) sketch_ = sketch_of(loss_);
  return sketch_ ? *sketch_ : loss_;
}

double CumulantTable::log_finite_mass() {
  if (!log_finite_mass_) log_finite_mass_ = rough_log([&] { return laws().finite_mass(); });
  return *log_finite_mass_;
}

double CumulantTable::log_q_mass() {
  if (!log_q_mass_) log_q_mass_ = rough_log([&] { return laws().q_mass(); });
  return *log_q_mass_;
}

double CumulantTable::mean_at_zero() {
  if (!mean_at_zero_) mean_at_zero_ = laws().estimate_cumulant(0).mean;
  return *mean_at_zero_;
}

const CumulantTable::Knot& CumulantTable::knot(int level, int k, bool negative) {
  auto& table = (negative ? negative_ : positive_)[level];
  const auto found = table.find(k);
  if (found != table.end()) return found->second;
  check_work_limit();
  const double x = std::exp(k / knots_per_e[level]);
  const CumulantEstimate here = laws().estimate_cumulant(negative ? -1 - x : x);
  const double rise = std::max(here.value - (negative ? log_q_mass() : log_finite_mass()), tiny);
  const double slope = negative ? -here.mean : here.mean;
  return table
      .emplace(k, Knot{std::log(rise), std::clamp(x * slope / rise, least_power, greatest_power),
                       here.mean, std::log(std::max(here.variance, tiny))})
      .first->second;
}

const CumulantEstimate& CumulantTable::itself(double t) {
  const auto found = values_.find(t);
  if (found != values_.end()) return found->second;
  check_work_limit();
  return values_.emplace(t, laws().estimate_cumulant(t)).first->second;
}

CumulantEstimate CumulantTable::at(double t) {
  const bool negative = t < 0;
  const double x = negative ? -1 - t : t;
  if (std::isnan(t)) return {t, t, t};
  if (!interpolates_) return itself(t);
  const double log_x = std::clamp(std::log(std::max(x, tiny)), least_log_order, greatest_log_order);
  for (int level = 0; level < levels; ++level) {
    const double place = log_x * knots_per_e[level];
    const auto k = static_cast<int>(clamped_integer(std::floor(place), -most_index, most_index));
    const Knot& a = knot(level, k, negative);
    const Knot& b = knot(level, k + 1, negative);
    const double c = place - k;
    const double slope_a = a.power / knots_per_e[level];
    const double slope_b = b.power / knots_per_e[level];
    // a kink between the knots (a second bump takes over) wants nearer ones
    if (std::fabs(slope_b - slope_a) > kink * std::min(slope_a, slope_b)) continue;
    const Hermite hermite(a.log_rise, b.log_rise, slope_a, slope_b);
    const double value = std::exp(hermite.value(c));
    const double power = hermite.slope(c) * knots_per_e[level];
    return {value + (negative ? log_q_mass() : log_finite_mass()),
            (negative ? -1 : 1) * power * value / x,
            std::exp(a.log_variance + c * (b.log_variance - a.log_variance))};
  }
  return itself(negative ? -1 - std::exp(log_x) : std::exp(log_x));
}

template <class Excess>
double CumulantTable::crossing_order(Excess&& excess) {
  // Walk from the last answer in far steps, then solve between the last two: far orders, where
  // floating point has nothing sensible to say, are never visited without need.
  const double least = std::exp(least_log_order);
  const double most = std::exp(greatest_log_order);
  const auto at_log = [&](double u) {
    const double value = excess(std::exp(u));
    return std::isnan(value) ? -most_excess : std::clamp(value, -most_excess, most_excess);
  };
  const double step = std::log(far_step);
  double low = std::log(last_order_);
  double high = low;
  double below = at_log(low);
  double above = below;
  while (below > 0 && low > std::log(least)) {
    high = low;
    above = below;
    below = at_log(low -= step);
  }
  while (!(above > 0) && high < std::log(most)) {
    low = high;
    below = above;
    above = at_log(high += step);
  }
  if (below <= 0 && above > 0) {  // an order where it is 0 is the answer
    std::uintmax_t calls = most_calls;
    const auto close = [](double a, double b) { return b - a < same_order; };
    std::tie(low, high) =
        boost::math::tools::toms748_solve(at_log, low, high, below, above, close, calls);
  }
  last_order_ = std::clamp(std::exp((low + high) / 2), least, most);
  return last_order_;
}

double CumulantTable::between_poles(double u) {
  const auto knot_at = [&](int k) -> const Knot& {
    const auto found = between_.find(k);
    if (found != between_.end()) return found->second;
    check_work_limit();
    const double x = std::exp(k / knots_per_e[0]);
    const CumulantEstimate here = laws().estimate_cumulant(-x);
    const double rise = std::max(here.value - log_finite_mass() + x * mean_at_zero(), tiny);
    const double slope = mean_at_zero() - here.mean;
    return between_
        .emplace(k, Knot{std::log(rise),
                         std::clamp(x * slope / rise, least_power, greatest_power_between_poles),
                         here.mean, 0})
        .first->second;
  };
  if (std::isnan(u)) return u;
  if (!interpolates_) return itself(-u).value;
  const double place = std::clamp(std::log(u), least_log_order, -1e-9) * knots_per_e[0];
  const auto k = static_cast<int>(clamped_integer(std::floor(place), -most_index, -1));
  const Knot& a = knot_at(k);
  const Knot& b = knot_at(k + 1);
  const Hermite hermite(a.log_rise, b.log_rise, a.power / knots_per_e[0], b.power / knots_per_e[0]);
  return std::exp(hermite.value(place - k)) + log_finite_mass() - u * mean_at_zero();
}

double CumulantTable::saddle(double epsilon) {
  // K'(t) - 1/t - 1/(1 + t) increases in t
  return crossing_order([&](double t) { return at(t).mean - 1 / t - 1 / (1 + t) - epsilon; });
}

double CumulantTable::log_delta(double epsilon, double t) {
  const CumulantEstimate k = at(t);
  const double curvature = std::max(k.variance, 0.0) + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
  return std::min(0.0, k.value - t * epsilon - std::log(t) - std::log1p(t) -
                           0.5 * std::log(2 * std::numbers::pi * curvature));
}

double CumulantTable::epsilon_for(double log_delta_wanted) {
  // Along the saddle curve epsilon(t) = K'(t) - 1/t - 1/(1 + t), log delta decreases in t.
  const auto epsilon = [&](double t) { return at(t).mean - 1 / t - 1 / (1 + t); };
  return epsilon(
      crossing_order([&](double t) { return log_delta_wanted - log_delta(epsilon(t), t); }));
}

}  // namespace plaudit
