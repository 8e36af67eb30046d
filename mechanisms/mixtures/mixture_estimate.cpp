#include "mechanisms/mixtures/mixture_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/analysis/rough_exponential.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double table_reach = 30;         ///< of y, to the left
constexpr double table_reach_right = 100;  ///< of y, where the bumps of great orders are
constexpr double widest_table_step = 0.6;
constexpr double table_step_of_rate = 0.75;
constexpr long longest_table = 1000;
constexpr double drop_of_integral = 24;  ///< nats from the peak to the ends of its sum
constexpr double reach_of_phi = 9;       ///< phi is below a double's digits there
constexpr double most_integral_points = 4000;
constexpr double most_tabulated_exponent = 200;  ///< |r log f| that near_one() sums unscaled
// All digits of a double: sums at such steps are off by e^-40; and far out a sixth power still
// counts where most losses are small.
constexpr double drop_of_cumulants = 120;
constexpr double widest_cumulant_step = 0.4;
constexpr double cumulant_step_of_rate = 0.15;
constexpr double most_cumulant_points = 30000;
constexpr double cancelled = 1e-6;  ///< part of E[l^2] that a variance must exceed

}  // namespace

// The step makes e^(-2 pi v / step) about e^-20 for strips of half-width v = min(2.5 / a_max, 2).
MixtureEstimate::MixtureEstimate(const GaussianMixture& mixture)
    : MixtureShape(mixture),
      step_(std::min(widest_table_step, table_step_of_rate / greatest_rate())),
      decay_(step_) {
  first_ = -clamped_integer(table_reach / step_, 0, longest_table);
  last_ = clamped_integer(table_reach_right / step_, 0, longest_table);
  for (long j = first_; j <= last_; ++j) {
    if ((j & 255) == 0) check_work_limit();
    const double y = static_cast<double>(j) * step_;
    log_f_.push_back(log_f(y));
    weight_.push_back(std::exp(-y * y / 2 - log_sqrt_two_pi) * step_);
  }
}

/// Sums of phi f^r with its peak at 1, and of the powers of log f about a centre.
class MixtureEstimate::ScaledSum {
 public:
  ScaledSum(double log_peak, double centre) : log_peak_(log_peak), centre_(centre) {}

  /// Whether the point is one of those that matter.
  bool add(double log_f, double height) {
    const double below = height - log_peak_;
    if (!(below >= -drop_of_integral)) return false;
    const double weight = std::exp(below);
    const double x = log_f - centre_;
    sum_ += weight;
    sum1_ += weight * x;
    sum2_ += weight * x * x;
    return true;
  }

  CumulantEstimate result(double d) const {
    const double mean = sum1_ / sum_;
    const double variance = std::max(0.0, sum2_ / sum_ - mean * mean);
    return {log_peak_ + std::log(sum_ * d) - log_sqrt_two_pi, centre_ + mean, variance};
  }

 private:
  double log_peak_;
  double centre_;
  double sum_ = 0;
  double sum1_ = 0;
  double sum2_ = 0;
};

CumulantEstimate MixtureEstimate::integral(double r) const {
  const double farthest = r * greatest_rate() + reach_of_phi;
  if (r > 0 && farthest < static_cast<double>(last_) * step_) {
    // All bumps of phi f^r lie between 0 and r a_max.
    return tabulated_integral(
        r, -clamped_integer(std::ceil(reach_of_phi / step_), 0, most_index),
        std::min(last_, clamped_integer(std::ceil(farthest / step_), 0, most_index)));
  }
  if (r > 0 && rates().size() == 2 && r * greatest_rate() < out_of_reach) return two_bumps(r);
  const Window range = wide_window(r, drop_of_integral);
  if (!range.within_reach()) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none, none};
  }
  const double d = std::max(step_, (range.high - range.low) / most_integral_points);
  const long first = clamped_integer(std::floor(range.low / d), -most_index, most_index);
  const long last = clamped_integer(std::ceil(range.high / d), -most_index, most_index);
  if (d == step_ && first >= first_ && last <= last_) return tabulated_integral(r, first, last);

  ScaledSum sum(range.log_peak, log_f((range.low + range.high) / 2));
  for (long j = first; j <= last; ++j) {
    if ((j & 255) == 0) check_work_limit();
    const double y = static_cast<double>(j) * d;
    const double l = log_f(y);
    sum.add(l, r * l - y * y / 2);
  }
  return sum.result(d);
}

CumulantEstimate MixtureEstimate::two_bumps(double r) const {
  const auto height = [&](double y, double l) { return r * l - y * y / 2; };
  const double first = mode_from(0, r);
  const double second = mode_from(r * greatest_rate(), r);
  const double l_first = log_f(first);
  const double l_second = log_f(second);
  const bool at_second = height(second, l_second) > height(first, l_first);
  ScaledSum sum(std::max(height(first, l_first), height(second, l_second)),
                at_second ? l_second : l_first);
  const double from_second = std::round(second / step_);
  // adds the points j, j + step, .. and returns where it ends: at `until` or a negligible one
  const auto walk = [&](double j, double step, double until) {
    for (int i = 0; j != until && i < most_integral_points; j += step, ++i) {
      const double y = j * step_;
      const double l = log_f(y);
      if (!sum.add(l, height(y, l))) break;
    }
    return j;
  };
  check_work_limit();
  const double from_first = std::round(first / step_);
  walk(from_first - 1, -1, -infinity);
  const double end = walk(from_first, 1, infinity);
  if (from_second >= end) {
    walk(from_second, 1, infinity);
    walk(from_second - 1, -1, end - 1);
  }
  return sum.result(step_);
}

CumulantEstimate MixtureEstimate::tabulated_integral(double r, long first, long last) const {
  const auto at = [&](long j) { return log_f_[static_cast<std::size_t>(j - first_)]; };
  const double largest = std::fabs(r) * std::max(std::fabs(at(first)), std::fabs(at(last)));
  return largest < most_tabulated_exponent ? near_one(r, first, last) : scaled(r, first, last);
}

CumulantEstimate MixtureEstimate::near_one(double r, long first, long last) const {
  // log A = log1p(int phi (f^r - 1)) keeps its digits where A is near 1; the sum over the bulk of
  // phi is complete because the table covers it.
  first = std::max(first_, std::min(first, clamped_integer(-reach_of_phi / step_, -most_index, 0)));
  last = std::min(last_, std::max(last, clamped_integer(reach_of_phi / step_, 0, most_index)));
  const double* const logs = &log_f_[static_cast<std::size_t>(first - first_)];
  const double* const weights = &weight_[static_cast<std::size_t>(first - first_)];
  std::vector<double> rises(static_cast<std::size_t>(last - first + 1));
  for (std::size_t i = 0; i < rises.size(); ++i) rises[i] = r * logs[i];
  rough_expm1(rises);
  double excess = 0;
  double sum = 0;
  double sum1 = 0;
  double sum2 = 0;
  for (std::size_t i = 0; i < rises.size(); ++i) {
    const double weight = weights[i] * (rises[i] + 1);
    excess += weights[i] * rises[i];
    sum += weight;
    sum1 += weight * logs[i];
    sum2 += weight * logs[i] * logs[i];
  }
  const double mean = sum1 / sum;
  double variance = sum2 / sum - mean * mean;
  if (!(variance > cancelled * sum2 / sum)) {  // cancellation: sum again about the mean
    variance = 0;
    for (std::size_t i = 0; i < rises.size(); ++i) {
      variance += weights[i] * (rises[i] + 1) * (logs[i] - mean) * (logs[i] - mean);
    }
    variance /= sum;
  }
  return {std::log1p(excess), mean, variance};
}

CumulantEstimate MixtureEstimate::scaled(double r, long first, long last) const {
  const double* const logs = &log_f_[static_cast<std::size_t>(first - first_)];
  std::vector<double> weights(static_cast<std::size_t>(last - first + 1));
  double peak = -infinity;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double y = static_cast<double>(first + static_cast<long>(i)) * step_;
    weights[i] = r * logs[i] - y * y / 2;
    peak = std::max(peak, weights[i]);
  }
  const auto matters = [&](double height) { return height >= peak - drop_of_integral; };
  std::size_t from = 0;
  std::size_t to = weights.size();
  while (from < to && !matters(weights[from])) ++from;
  while (from < to && !matters(weights[to - 1])) --to;
  for (std::size_t i = from; i < to; ++i) weights[i] -= peak;
  rough_exp(std::span(weights).subspan(from, to - from));
  const double centre = from < to ? logs[(from + to) / 2] : 0;
  double sum = 0;
  double sum1 = 0;
  double sum2 = 0;
  for (std::size_t i = from; i < to; ++i) {
    const double x = logs[i] - centre;
    sum += weights[i];
    sum1 += weights[i] * x;
    sum2 += weights[i] * x * x;
  }
  const double mean = sum1 / sum;
  return {peak + std::log(sum * step_) - log_sqrt_two_pi, centre + mean,
          std::max(0.0, sum2 / sum - mean * mean)};
}

std::optional<CumulantEstimates> MixtureEstimate::cumulants(double r) const {
  const Window range = window(r, drop_of_cumulants);
  if (!range.within_reach()) {
    return std::nullopt;
  }
  // The bulk of phi too, where A - 1 is summed term by term.
  const double low = std::min(range.low, -reach_of_phi);
  const double high = std::max(range.high, reach_of_phi);
  const double d = std::min(widest_cumulant_step, cumulant_step_of_rate / greatest_rate());
  if (!((high - low) / d < most_cumulant_points)) return std::nullopt;
  const bool near_one = range.log_peak < 1;
  std::vector<std::pair<double, double>> points;  // log f and phi f^r
  double excess = 0;
  double sum = 0;
  double mean = 0;
  for (double j = std::floor(low / d); j <= std::ceil(high / d); ++j) {
    const double y = j * d;
    const double l = log_f(y);
    const double weight = std::exp(r * l - y * y / 2 - range.log_peak);
    if (near_one) {
      const double phi = std::exp(-y * y / 2);
      excess += r * l < 1 ? phi * std::expm1(r * l) : weight * std::exp(range.log_peak) - phi;
    }
    points.emplace_back(l, weight);
    sum += weight;
    mean += weight * l;
  }
  mean /= sum;
  std::array<double, 7> moments{};
  for (const auto& [l, weight] : points) {
    double power = weight / sum;
    for (std::size_t k = 1; k < moments.size(); ++k) moments[k] += power *= l - mean;
  }
  const double scale = d * std::exp(-log_sqrt_two_pi);
  const double value =
      near_one ? std::log1p(excess * scale) : range.log_peak + std::log(sum * scale);
  const double square = moments[2] * moments[2];
  return CumulantEstimates{value,
                           mean + moments[1],
                           moments[2],
                           moments[3],
                           moments[4] - 3 * square,
                           moments[5] - 10 * moments[2] * moments[3],
                           moments[6] - 15 * moments[2] * moments[4] -
                               10 * moments[3] * moments[3] + 30 * square * moments[2]};
}

double MixtureEstimate::log_decay(double r, double s, double* best_eta) const {
  return decay_.log_decay(*this, r, s, best_eta);
}

}  // namespace plaudit
