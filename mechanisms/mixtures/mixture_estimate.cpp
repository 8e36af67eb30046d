#include "mechanisms/mixtures/mixture_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>

#include "lib/analysis/rough_exponential.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double table_reach = 30;         ///< to the left
constexpr double table_reach_right = 100;  ///< where the bumps of great orders are
constexpr double largest_exponent = 600;   ///< that e^x has a double
constexpr double least_f = 1e-280;         ///< likewise
constexpr double large_negative = -50;     ///< powers beyond which the bounds of 1/f matter
constexpr double nats_of_double = 40;  ///< below the greatest term, a double does not see others
constexpr double out_of_reach = 1e15;  ///< points beyond are no place to sum
constexpr double widest_table_step = 0.6;
constexpr double table_step_of_rate = 0.75;
constexpr long longest_table = 1000;
constexpr double drop_of_integral = 24;  ///< nats from the peak to the ends of its sum
constexpr double reach_of_phi = 9;       ///< phi is below a double's digits there
constexpr double most_integral_points = 4000;
constexpr double most_tabulated_exponent = 200;  ///< tabulated sums are not scaled
// All digits of a double: sums at such steps are off by e^-40; and far out a sixth power still
// counts where most losses are small.
constexpr double drop_of_cumulants = 120;
constexpr double widest_cumulant_step = 0.4;
constexpr double cumulant_step_of_rate = 0.15;
constexpr double most_cumulant_points = 30000;
constexpr double cancelled = 1e-6;  ///< part of E[l^2] that a variance must exceed

// log_decay: farther and farther from the peak as long as what it finds is as small as the ends.
constexpr double decay_drops[] = {24, 70, 200, 600};  ///< nats
constexpr double drop_to_spare = 6;
constexpr double most_decay_points = 400;
constexpr double decay_start = 0.8;         ///< part of the strip: the first shift at most
constexpr double room_of_decay = 0.03;      ///< of the greatest shift, where the slope leads there
constexpr double decay_resolution = 0.004;  ///< of the shift: the value is flat there
constexpr int decay_sections = 12;
/// Short of pi / a_max, so that a strip is left around the shifted line to integrate on; short of
/// half of that where only there f stays away from 0 (straight_contour.md#one-sided-strip).
constexpr double share_of_strip = 0.88;
constexpr double share_of_half_strip = 0.38;

}  // namespace

/// The last sum for decays: a search for a height asks at one order again and again.
struct MixtureEstimate::Kept {
  std::mutex mutex;
  double r = 0;
  double drop = 0;
  std::shared_ptr<const DecaySum> sum;
};

MixtureEstimate::MixtureEstimate(const GaussianMixture& mixture, Table table)
    : kept_(std::make_shared<Kept>()) {
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const double rate = estimate(mixture.sensitivities[i] / mixture.sigma);
    rates_.push_back(rate);
    log_weights_.push_back(estimate_log(mixture.probabilities[i]) - rate * rate / 2);
  }
  if (mixture.sensitivities.size() == 2) {
    rest_probability_ = estimate(mixture.probabilities[0]);
    rate_probability_ = estimate(mixture.probabilities[1]);
    log_rate_probability_ = estimate_log(mixture.probabilities[1]);
  }
  make_envelope();
  // Trapezoid with about e^-20: strip of half-width 2.5 / a_max, at most 5.
  step_ = std::min(widest_table_step, table_step_of_rate / greatest_rate());
  if (table == Table::none) return;
  first_ = -clamped_integer(table_reach / step_, 0, longest_table);
  last_ = clamped_integer(table_reach_right / step_, 0, longest_table);
  for (long j = first_; j <= last_; ++j) {
    if ((j & 255) == 0) check_work_limit();
    const double y = static_cast<double>(j) * step_;
    log_f_.push_back(log_f(y));
    weight_.push_back(std::exp(-y * y / 2 - log_sqrt_two_pi) * step_);
  }
}

double MixtureEstimate::log_f(double y) const {
  double unused = 0;
  return log_f(y, unused);
}

double MixtureEstimate::log_f(double y, double& mean_rate) const {
  if (rates_.size() == 2 && rates_[0] == 0) {
    const double z = rates_[1] * (y - rates_[1] / 2);
    const double u = z + log_rate_probability_;
    if (u > nats_of_double) {  // the other component is not seen
      mean_rate = rates_[1];
      return u;
    }
    if (z > largest_exponent) {
      mean_rate = rates_[1] / (1 + std::exp(-u));
      return u > 0 ? u + std::log1p(std::exp(-u)) : std::log1p(std::exp(u));
    }
    const double rise = std::expm1(z);
    const double excess = rate_probability_ * rise;  // f - 1
    const double f =
        excess < -0.5 ? rest_probability_ + rate_probability_ * (rise + 1) : 1 + excess;
    if (!(f > least_f)) {
      mean_rate = rates_[1] * std::exp(std::min(0.0, u - log_weights_[0]));
      return std::max(log_weights_[0], u);
    }
    mean_rate = rates_[1] * rate_probability_ * (rise + 1) / f;
    return std::fabs(excess) < 0.5 ? std::log1p(excess) : std::log(f);
  }
  // Around the top of the concave envelope of log_weights + rate y, as far as a double sees.
  std::size_t low = 0;
  std::size_t high = rates_.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (envelope_[middle + 1] - envelope_[middle] + (rates_[middle + 1] - rates_[middle]) * y > 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const double greatest = log_weights_[low] + rates_[low] * y;  // a corner of the envelope
  double total = 0;
  double weighted = 0;
  const auto add = [&](std::size_t i) {
    if (envelope_[i] + rates_[i] * y < greatest - nats_of_double) return false;
    const double share = std::exp(log_weights_[i] + rates_[i] * y - greatest);
    total += share;
    weighted += share * rates_[i];
    return true;
  };
  for (std::size_t i = low; i < rates_.size() && add(i); ++i) {
  }
  for (std::size_t i = low; i-- > 0 && add(i);) {
  }
  mean_rate = weighted / total;
  return greatest + std::log(total);
}

void MixtureEstimate::make_envelope() {
  std::vector<std::size_t> corners;
  const auto slope = [&](std::size_t i, std::size_t j) {
    return (log_weights_[j] - log_weights_[i]) / (rates_[j] - rates_[i]);
  };
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    while (corners.size() > 1 &&
           slope(corners[corners.size() - 2], corners.back()) <= slope(corners.back(), i)) {
      corners.pop_back();
    }
    corners.push_back(i);
  }
  envelope_ = log_weights_;
  for (std::size_t c = 1; c < corners.size(); ++c) {
    for (std::size_t i = corners[c - 1] + 1; i < corners[c]; ++i) {
      envelope_[i] = log_weights_[corners[c - 1]] +
                     slope(corners[c - 1], corners[c]) * (rates_[i] - rates_[corners[c - 1]]);
    }
  }
}

double MixtureEstimate::mode_from(double start, double r, double relative) const {
  double y = start;
  for (int i = 0; i < 200; ++i) {
    double rate = 0;
    log_f(y, rate);
    double next = r * rate;
    if (r < 0) next = y + (next - y) / (1 + std::fabs(r) * rate * greatest_rate());
    if (std::fabs(next - y) <= 0.05 + relative * std::fabs(y)) return next;
    y = next;
  }
  return y;
}

MixtureEstimate::Window MixtureEstimate::window(double r, double drop) const {
  const double first = mode_from(0, r);
  const double second = r > 0 ? mode_from(r * greatest_rate(), r) : first;
  const auto height = [&](double y) { return r * log_f(y) - y * y / 2; };
  double peak = std::max(height(first), height(second));
  const auto edge = [&](double start, double sign) {
    double width = 1;
    double y = start;
    // Walk out, then halve back to a tenth.
    while (height(y) > peak - drop && width < 1e18) {
      y = start + sign * width;
      const double here = height(y);
      if (here > peak) peak = here;
      width *= 1.5;
    }
    double inner = start;
    for (int i = 0; i < 12 && std::fabs(y - inner) > 0.05; ++i) {
      const double middle = (y + inner) / 2;
      (height(middle) > peak - drop ? inner : y) = middle;
    }
    return y;
  };
  const double low = edge(height(first) > peak - drop ? first : second, -1);
  const double high = edge(height(second) > peak - drop ? second : first, +1);
  return {low, high, peak};
}

/// A window that is hardly wider, from the modes alone: the slope of log f lies between 0 and a_max
/// and does not fall.
MixtureEstimate::Window MixtureEstimate::wide_window(double r, double drop) const {
  const auto height = [&](double y) { return r * log_f(y) - y * y / 2; };
  const double first = mode_from(0, r);
  const double at_first = height(first);
  if (!(r > 0)) {
    return {first - std::sqrt(2 * drop), first + std::sqrt(2 * drop), at_first};
  }
  const double top = r * greatest_rate();
  const double second = mode_from(top, r);
  const double at_second = height(second);
  const double peak = std::max(at_first, at_second);
  if (std::min(at_first, at_second) < peak - drop) return window(r, drop);  // one of them is none
  const double least = std::min(first, second);
  // left of the first mode log f is at most what it is there; right of the second one it grows at
  // most like a_max y
  const double low = -std::sqrt(std::max(0.0, 2 * (at_first - peak + drop) + least * least));
  const double beyond = (top - second) * (top - second) / 2 + at_second - peak + drop;
  const double high = top + std::sqrt(std::max(0.0, 2 * beyond));
  return {std::min(low, least), std::max(high, second), peak};
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
  if (r > 0 && rates_.size() == 2 && r * greatest_rate() < out_of_reach) return two_bumps(r);
  const Window range = wide_window(r, drop_of_integral);
  if (!(std::fabs(range.low) < out_of_reach && std::fabs(range.high) < out_of_reach)) {
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
  // from j on in steps until nothing is left, or until there: how far
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
  if (!(std::fabs(range.low) < out_of_reach && std::fabs(range.high) < out_of_reach)) {
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
  if (best_eta != nullptr) *best_eta = 0;
  if (s <= 0) return 0;
  // At great heights the integral lives where phi f^r is tiny: look farther when it is that small.
  double result = 0;
  for (const double drop : decay_drops) {
    result = log_decay(r, s, drop, best_eta);
    if (!(result < drop_to_spare - drop)) break;
  }
  return result;
}

/// The points of a sum over the real line, and at each the shares of the components in f.
struct MixtureEstimate::DecaySum {
  struct Span {
    std::size_t from, to, place;
  };

  std::vector<double> weights;  ///< phi f^r, its greatest value 1
  std::vector<double> shares;   ///< of the components in f that a double sees, point by point
  std::vector<Span> spans;
  double sum = 0;         ///< of the weights
  double mean_slope = 0;  ///< of log f, under the weights

  struct Ratio {
    double log;
    double slope;  ///< by eta; it does not fall: three lines theorem
  };

  /// log of the sum of |phi f^r| on the line shifted by eta, over the sum on the real one; with
  /// e^{-s arg f}.
  Ratio log_ratio(const std::vector<double>& rates, double r, double s, double eta) const {
    std::vector<double> versines(rates.size());
    std::vector<double> sines(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const double half = std::sin(rates[i] * eta / 2);
      versines[i] = 2 * half * half;
      sines[i] = std::sin(rates[i] * eta);
    }
    std::vector<Ratio> exponents;  // and their slopes
    exponents.reserve(weights.size());
    double greatest = -infinity;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      // f(y + i eta) / f(y), and its derivative by i eta
      double real = 1;
      double imaginary = 0;
      double real_slope = 0;
      double imaginary_slope = 0;
      const Span& span = spans[j];
      const double* share = shares.data() + span.place;
      for (std::size_t i = span.from; i < span.to; ++i, ++share) {
        real -= *share * versines[i];
        imaginary += *share * sines[i];
        real_slope += *share * rates[i] * (1 - versines[i]);
        imaginary_slope += *share * rates[i] * sines[i];
      }
      const double square = real * real + imaginary * imaginary;
      const double argument = std::atan2(imaginary, real);
      exponents.push_back({eta * eta / 2 + r * std::log(square) / 2 - s * argument,
                           eta + (r * (real_slope * imaginary - imaginary_slope * real) -
                                  s * (real_slope * real + imaginary_slope * imaginary)) /
                                     square});
      greatest = std::max(greatest, exponents.back().log + std::log(weights[j]));
    }
    double total = 0;
    double slopes = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double weight = weights[j] * std::exp(exponents[j].log - greatest);
      total += weight;
      slopes += weight * exponents[j].slope;
    }
    return {greatest + std::log(total / sum), slopes / total};
  }
};

std::shared_ptr<const MixtureEstimate::DecaySum> MixtureEstimate::kept_decay_sum(
    double r, double drop) const {
  const std::lock_guard<std::mutex> lock(kept_->mutex);
  if (!kept_->sum || kept_->r != r || kept_->drop != drop) {
    kept_->sum = std::make_shared<const DecaySum>(decay_sum(r, drop));
    kept_->r = r;
    kept_->drop = drop;
  }
  return kept_->sum;
}

/// No points where the range is out of reach.
MixtureEstimate::DecaySum MixtureEstimate::decay_sum(double r, double drop) const {
  const Window range = window(r, drop);
  if (!(std::fabs(range.low) < out_of_reach && std::fabs(range.high) < out_of_reach)) return {};
  const double d = std::max(step_, (range.high - range.low) / most_decay_points);
  const long first = clamped_integer(std::floor(range.low / d), -most_index, most_index);
  const long last = clamped_integer(std::ceil(range.high / d), -most_index, most_index);
  DecaySum result;
  for (long j = first; j <= last; ++j) {
    const double y = static_cast<double>(j) * d;
    double rate = 0;
    const double l = log_f(y, rate);
    const double weight = std::exp(r * l - y * y / 2 - range.log_peak);
    if (weight < std::exp(-drop - 1.3)) continue;
    result.weights.push_back(weight);
    std::size_t from = 0;
    std::size_t to = rates_.size();
    while (log_weights_[from] + rates_[from] * y - l < -nats_of_double) ++from;
    while (log_weights_[to - 1] + rates_[to - 1] * y - l < -nats_of_double) --to;
    result.spans.push_back({from, to, result.shares.size()});
    for (std::size_t i = from; i < to; ++i) {
      result.shares.push_back(std::exp(log_weights_[i] + rates_[i] * y - l));
    }
    result.sum += weight;
    result.mean_slope += weight * rate;
  }
  result.mean_slope /= result.sum;
  return result;
}

double MixtureEstimate::log_decay(double r, double s, double drop, double* best_eta) const {
  check_work_limit();
  const auto kept = kept_decay_sum(r, drop);
  const DecaySum& points = *kept;
  if (points.weights.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double share =
      r < large_negative && least_rate() == 0 ? share_of_half_strip : share_of_strip;
  const double top = share * std::numbers::pi / greatest_rate();
  // The slope's zero, by secants from 0, where it is known, within what is known to hold it.
  double low = 0;
  double high = top;
  double last = 0;
  double last_slope = -s * points.mean_slope;
  double eta = std::min(s * points.mean_slope, decay_start * top);
  double best = 0;
  double best_at = 0;
  for (int i = 0; i < decay_sections && eta > 0; ++i) {
    const DecaySum::Ratio here = points.log_ratio(rates_, r, s, eta);
    if (!std::isfinite(here.log) || !std::isfinite(here.slope)) {
      high = eta;
      eta = (low + high) / 2;
      continue;
    }
    if (here.log < best) {
      best = here.log;
      best_at = eta;
    }
    (here.slope < 0 ? low : high) = eta;
    const double rise = (here.slope - last_slope) / (eta - last);
    double next = eta - here.slope / rise;
    const bool halved = !(rise > 0) || !(next > low && next < high);
    if (halved) next = (low + high) / 2;
    if (std::fabs(next - eta) < (halved ? room_of_decay : decay_resolution) * eta) break;
    last = eta;
    last_slope = here.slope;
    eta = next;
  }
  if (best_eta != nullptr) *best_eta = best_at;
  return best;
}

}  // namespace plaudit
