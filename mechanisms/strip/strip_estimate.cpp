#include "mechanisms/strip/strip_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/constants.hpp"

namespace plaudit {

namespace {
constexpr std::size_t most_places = 48;  ///< of a sum for a choice
constexpr double log_negligible = -25;   ///< of an integrand, relative to its peak
constexpr double log_no_weight = -45;    ///< below it a double does not see it
constexpr double greatest_eta = 8;       ///< no line is shifted farther
// Shifts of the line that are tried, downward.
constexpr int shifts_tried = 14;
constexpr double first_shift = 0.85;  ///< of the greatest height: leaves room for a strip
constexpr double next_shift = 0.72;
constexpr double little_shift = 1e-4;  ///< of the greatest shift: where the slope is measured
constexpr double beyond_guess = 4;     ///< the first shift over the best one of the quadratic model
}  // namespace

double log_peak(std::span<const Place> places, double r) {
  double peak = -infinity;
  for (const Place& p : places) peak = std::max(peak, r * p.l + p.g);
  return peak;
}

CumulantEstimate tabulated_cumulant(std::span<const Place> places, double r) {
  const double peak = log_peak(places, r);
  double sum = 0;
  double sum1 = 0;
  std::vector<std::pair<double, double>> weighted;  // l and its weight
  for (const Place& p : places) {
    const double log_weight = r * p.l + p.g - peak;
    if (log_weight < log_no_weight) continue;
    weighted.emplace_back(p.l, std::exp(log_weight));
    sum += weighted.back().second;
    sum1 += weighted.back().second * p.l;
  }
  const double mean = sum1 / sum;
  double sum2 = 0;
  for (const auto& [l, weight] : weighted) sum2 += weight * (l - mean) * (l - mean);
  return {peak + std::log(sum), mean, sum2 / sum};
}

double moment_excess(double t, double l, double log_base) {
  // (e^l - 1)(e^{tl} - 1) + e^{tl} + e^{-tl} - 2, without cancellation or 0 times infinity
  if (std::fabs(t * l) > 1) {
    return std::exp(log_base + (1 + t) * l) + std::exp(log_base - t * l) - std::exp(log_base + l) -
           std::exp(log_base);
  }
  const double half = std::sinh(t * l / 2);
  return std::exp(log_base) * (std::expm1(l) * std::expm1(t * l) + 4 * half * half);
}

double tabulated_log_decay(std::span<const Place> places, double r, double s,
                           double greatest_height,
                           const std::function<TurnedPlace(const Place&, double eta)>& turned,
                           double* best_eta) {
  if (best_eta != nullptr) *best_eta = 0;
  if (s <= 0) return 0;
  const double peak = log_peak(places, r);
  const auto log_weight = [&](const Place& p) { return r * p.l + p.g - peak; };
  const auto is_high = [&](const Place& p) { return log_weight(p) > log_negligible; };
  // a sum over every other place, or fewer, is nearly the same multiple of the integral
  const auto every =
      1 +
      static_cast<std::size_t>(std::count_if(places.begin(), places.end(), is_high)) / most_places;
  double whole = 0;
  std::vector<Place> high;
  for (std::size_t i = 0; i < places.size(); i += every) {
    whole += std::exp(log_weight(places[i]));
    if (is_high(places[i])) high.push_back(places[i]);
  }
  // For small shifts the log is about eta^2 / 2 - s eta E[arg f / eta], or little more.
  const double greatest = first_shift * std::min(greatest_height, greatest_eta);
  const double little = greatest * little_shift;
  double turn = 0;
  for (const Place& p : high) {
    turn += std::exp(r * p.l + p.g - peak) * turned(p, little).l.imag();
  }
  const double first = std::clamp(beyond_guess * s * turn / (whole * little), little, greatest);
  double best = 0;
  for (int i = 0; i < shifts_tried; ++i) {
    const double eta = first * std::pow(next_shift, i);
    double total = 0;
    for (const Place& p : high) {
      const TurnedPlace there = turned(p, eta);
      total += std::exp(r * there.l.real() - s * there.l.imag() + there.g - peak);
    }
    const double here = std::log(total / whole);
    if (here < best) {
      best = here;
      if (best_eta != nullptr) *best_eta = eta;
    } else if (best < 0) {
      break;
    }
  }
  return best;
}

}  // namespace plaudit
