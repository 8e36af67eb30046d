#include "accountants/plan/laplace_power.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/cumulants/order_search.hpp"

namespace plaudit {

std::optional<LaplacePower> laplace_power(const ComposedLoss& composition) {
  LaplacePower power{nullptr, 0};
  for (const ComposedLoss::Term& term : composition.terms()) {
    const auto* laplace = term.loss->facts().laplace;
    if (laplace == nullptr) return std::nullopt;
    if (power.loss == nullptr) power.loss = laplace;
    if (laplace->ratio() != power.loss->ratio()) return std::nullopt;
    power.steps += term.count;
  }
  return power;
}

double estimate_log_delta(const LaplacePower& power, double epsilon) {
  const auto n = static_cast<double>(power.steps);
  const double end = 0.999 * n * estimate(power.loss->ratio());
  const double near = std::clamp(epsilon, 0.0, end);
  const auto cumulant = [&](double t) {
    const CumulantEstimate one = power.loss->estimate_cumulant(t);
    return CumulantEstimate{n * one.value, n * one.mean, n * one.variance};
  };
  const double t = chernoff_order_at_epsilon(cumulant, near);
  const CumulantEstimate k = cumulant(t);
  const double curvature = std::max(k.variance, 0.0) + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
  return std::min(0.0, k.value - t * near - std::log(t) - std::log1p(t) -
                           0.5 * std::log(2 * std::numbers::pi * curvature));
}

}  // namespace plaudit
