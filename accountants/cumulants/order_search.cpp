#include "accountants/cumulants/order_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plaudit {

namespace {

// Newton's rule in log t.
constexpr double greatest_log = 60;  ///< of |log t|: the first bracket
constexpr int most_newton_steps = 80;
constexpr double step_without_slope = -1.5;  ///< where a value or slope is of no use
constexpr double longest_step = 2.5;
constexpr double same_log = 1e-7;  ///< of log t, with which the search ends
constexpr double usual_order = 4;  ///< where a search starts

struct ValueAndSlope {
  double value;
  double slope;
};

/// Root of a function of t that increases, by Newton's rule in log t inside a bracket. A value
/// that is not finite counts as "t too large".
template <class Function>
double increasing_root(Function&& function, double start) {
  double low = -greatest_log;
  double high = greatest_log;
  double u = std::log(start);
  for (int i = 0; i < most_newton_steps; ++i) {
    const ValueAndSlope at = function(std::exp(u));
    const bool usable = std::isfinite(at.value) && std::isfinite(at.slope);
    if (usable && at.value < 0) {
      low = u;
    } else {
      high = u;
    }
    double move =
        usable && at.slope > 0 ? -at.value / (at.slope * std::exp(u)) : step_without_slope;
    move = std::clamp(move, -longest_step, longest_step);
    double next = u + move;
    if (next <= low || next >= high) next = (low + high) / 2;
    const double moved = std::fabs(next - u);
    u = next;
    if (moved < same_log || high - low < same_log) break;
  }
  return std::exp(u);
}

double log_ratio(double t) { return -std::log1p(1 / t); }  // log(t / (1 + t))

}  // namespace

double chernoff_order_at_epsilon(const CumulantFunction& cumulant, double epsilon, double start) {
  return increasing_root(
      [&](double t) -> ValueAndSlope {
        const CumulantEstimate k = cumulant(t);
        return {k.mean - epsilon + log_ratio(t), k.variance + 1 / (t * (1 + t))};
      },
      start);
}

double chernoff_order_at_delta(const CumulantFunction& cumulant, double log_delta, double start) {
  return increasing_root(
      [&](double t) -> ValueAndSlope {
        const CumulantEstimate k = cumulant(t);
        return {
            t * (k.mean + log_ratio(t)) - (estimate_log_chernoff_factor(t) + k.value - log_delta),
            t * k.variance + 1 / (1 + t)};
      },
      start);
}

double estimate_epsilon(const CumulantFunction& cumulant, double log_delta) {
  // At the saddle point of e^{K(z) - z eps} / (z (1+z)): eps = K' - 1/t - 1/(1+t), and
  // log delta ~ K - t eps - log(t (1+t)) - log(2 pi V) / 2, V = K'' + 1/t^2 + 1/(1+t)^2,
  // whose slope in t is about -t V.
  const auto epsilon_at = [](const CumulantEstimate& k, double t) {
    return k.mean - 1 / t - 1 / (1 + t);
  };
  const double t = increasing_root(
      [&](double at) -> ValueAndSlope {
        const CumulantEstimate k = cumulant(at);
        const double variance = k.variance + 1 / (at * at) + 1 / ((1 + at) * (1 + at));
        const double log_value = k.value - at * epsilon_at(k, at) - std::log(at) - std::log1p(at) -
                                 std::log(2 * std::numbers::pi * variance) / 2;
        return {log_delta - log_value, at * variance};
      },
      usual_order);
  return std::max(0.0, epsilon_at(cumulant(t), t));
}

}  // namespace plaudit
