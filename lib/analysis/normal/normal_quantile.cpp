#include "lib/analysis/normal/normal_quantile.hpp"

#include <algorithm>
#include <cmath>

#include "lib/analysis/increasing_root.hpp"

namespace plaudit {

namespace {

/// Where Newton's rule starts: about the y < 0 with phi(y) / |y| = e^log_p; 0.92 = log sqrt(2 pi).
double rough_quantile(double log_p) {
  double y = std::sqrt(std::max(0.0, -2 * log_p - 1.8));
  for (int i = 0; i < 3; ++i) {
    y = std::sqrt(std::max(0.0, -2 * (log_p + std::log(std::max(y, 0.8)) + 0.92)));
  }
  return -y;
}

}  // namespace

std::optional<Ball> normal_quantile(const Ball& p) {
  if (!certainly_positive(p) || !certainly_less(p, Ball(1))) return std::nullopt;
  // Phi(y) is accurate relative to itself on the left: there the root is sought.
  if (certainly_less(Ball(0.5), p)) {
    const std::optional<Ball> mirrored = normal_quantile(Ball(1) - p);
    if (!mirrored) return std::nullopt;
    return -*mirrored;
  }
  return increasing_root(
      Ball(rough_quantile(p.estimate_log())), Ball(1),
      [&](const Ball& y) { return normal_cdf(y) - p; },
      [&](const Ball& y) { return (normal_cdf(y) - p) / normal_density(y); });
}

}  // namespace plaudit
