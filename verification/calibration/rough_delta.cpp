#include "verification/calibration/rough_delta.hpp"

#include <cmath>
#include <limits>

#include "accountants/contour/rough_curve.hpp"
#include "accountants/cumulants/cumulant_table.hpp"

namespace plaudit {

namespace {

constexpr double most_correction = 0.5;  ///< a larger sum of the series is left out
constexpr int digits_of_guess = 2;  ///< of the rough curve that is asked where variance_jumps(),
constexpr double likely_log_delta = -40;  ///< without what is, at this log delta,
constexpr double nats_of_guess = 8;       ///< less than e^-8 of delta

/// The factor of the method of steepest descent, order 6 (saddle_point_estimate.cpp), where it is
/// near 1.
double correction(const CumulantEstimates& cumulants, double t) {
  const auto derivative = [&](std::size_t j) {
    double factorial = 1;
    for (std::size_t i = 2; i < j; ++i) factorial *= static_cast<double>(i);
    const double power = -static_cast<double>(j);
    const double poles = factorial * (std::pow(t, power) + std::pow(1 + t, power));
    return cumulants[j] + (j % 2 == 0 ? poles : -poles);
  };
  const double f2 = derivative(2);
  const auto l = [&](std::size_t j) {
    return derivative(j) / std::pow(f2, 0.5 * static_cast<double>(j));
  };
  const double l3 = l(3);
  const double l4 = l(4);
  const double square = l3 * l3;
  const double change = l4 / 8 - 5 * square / 24 - l(6) / 48 + 35 * l4 * l4 / 384 +
                        7 * l3 * l(5) / 48 - 35 * square * l4 / 64 + 385 * square * square / 1152;
  return std::fabs(change) < most_correction ? 1 + change : 1;
}

RoughDelta rough_direction(const ComposedLoss& loss, double epsilon) {
  if (loss.without_moments() != nullptr) return {std::numeric_limits<double>::quiet_NaN(), true, 1};
  CumulantTable table(loss, false);
  const double t = table.saddle(epsilon);
  double value = table.log_delta(epsilon, t);
  if (variance_jumps(table, t)) {
    RoughCurve curve(loss, digits_of_guess);
    curve.leave_out_below(likely_log_delta, nats_of_guess);
    Enclosure anything;
    anything.lower = Ball(0);
    anything.upper = Ball(1);
    return {curve.log_delta(epsilon, anything), false, t};
  }
  if (const auto cumulants = loss.estimate_cumulants(t))
    value += std::log(correction(*cumulants, t));
  const double lost = loss.mass_at_infinity().estimate();
  return {lost > 0 ? std::log(std::exp(value) + lost) : value, true, t};
}

}  // namespace

RoughDelta rough_delta(const Composition& composition, DirectionChoice direction, double epsilon) {
  const bool both = direction == DirectionChoice::both;
  RoughDelta result{-std::numeric_limits<double>::infinity(), true, 1};
  if (direction != DirectionChoice::add) {
    result = rough_direction({composition, Direction::remove}, epsilon);
  }
  if (direction == DirectionChoice::add || (both && !composition.symmetric())) {
    const RoughDelta add = rough_direction({composition, Direction::add}, epsilon);
    if (!(add.log_delta <= result.log_delta)) result = add;
  }
  return result;
}

}  // namespace plaudit
