#include "verification/meaning/threshold_guess.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <stdexcept>

namespace plaudit {

namespace {

constexpr double least_log_mass = -690;  ///< e^ this is a double that Boost can invert
constexpr double largest_tilt = 1e9;     ///< scores that need more have the threshold at this one
constexpr int halvings_of_tilt = 60;

/// x = K'(s - 1), the mean of L under Q tilted by s; the normal score of Q(L > x) by Lugannani and
/// Rice, NaN where it is not known; and the deviation of L there.
struct Saddle {
  double score;
  double x;
  double scale;
};

Saddle saddle_at(const ComposedLoss& loss, double s) {
  const CumulantEstimate k = loss.estimate_cumulant(s - 1);
  const double root = 2 * (s * k.mean - k.value);
  const double deviation = std::sqrt(k.variance);
  if (!(root > 1e-12)) return {0, k.mean, deviation};
  const double w = std::copysign(std::sqrt(root), s);
  const double v = s * deviation;
  return {w + std::log(v / w) / w, k.mean, deviation};
}

}  // namespace

double normal_score(double log_mass) {
  if (log_mass > -1e-16) return -8.5;  // P(N > z) is 1 to all digits of a double
  if (log_mass > least_log_mass) {
    const boost::math::normal normal;
    return boost::math::quantile(boost::math::complement(normal, std::exp(log_mass)));
  }
  double z = std::sqrt(-2 * log_mass);  // P(N > z) is about phi(z) / z
  for (int i = 0; i < 5; ++i) z = std::sqrt(-2 * (log_mass + std::log(z) + 0.9189385332046727));
  return z;
}

double log_normal_hazard(double z) {
  z = std::fabs(z);
  if (z > 30) return std::log(z + 1 / z);
  return -z * z / 2 - 0.9189385332046727 - std::log(std::erfc(z * std::sqrt(0.5)) / 2);
}

std::optional<ThresholdGuess> guess_threshold(const ComposedLoss& loss, double score) {
  try {
    const double sign = score < 0 ? -1 : 1;
    const auto beyond = [&](double size) {
      const Saddle found = saddle_at(loss, sign * size);
      return !std::isfinite(found.score) || sign * found.score > std::fabs(score);
    };
    double high = 1e-3;
    while (high < largest_tilt && !beyond(high)) high *= 4;
    double low = high > 1e-3 ? high / 4 : 0;
    for (int i = 0; i < halvings_of_tilt && high - low > 1e-9 * high; ++i) {
      const double middle = (low + high) / 2;
      (beyond(middle) ? high : low) = middle;
    }
    const Saddle found = saddle_at(loss, sign * std::max(low, 1e-9));
    if (!std::isfinite(found.x) || !(found.scale > 0) || !std::isfinite(found.scale)) {
      return std::nullopt;
    }
    return ThresholdGuess{found.x, found.scale};
  } catch (const std::logic_error&) {  // a law that answers its tails only
    return std::nullopt;
  }
}

}  // namespace plaudit
