#include "mechanisms/mixtures/mixture_decay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <vector>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double large_negative = -50;  ///< powers below which only Lemma 2' has useful norms

// Windows of the sum, in nats below the peak: the next one while the decay that was found is within
// drop_to_spare of what the ends of the window hold.
constexpr double decay_drops[] = {24, 70, 200, 600};
constexpr double drop_to_spare = 6;
constexpr double most_decay_points = 400;
constexpr double decay_start = 0.8;     ///< of the greatest shift: the first one is at most that
constexpr double room_of_decay = 0.03;  ///< relative change of the shift that ends a bisection
constexpr double decay_resolution = 0.004;  ///< the same of secants: the value is flat there
constexpr int decay_sections = 12;          ///< shifts tried
/// Short of pi / a_max, so that a strip is left around the shifted line to integrate on; short of
/// half of that where only there f stays away from 0 (straight_contour.md#one-sided-strip).
constexpr double share_of_strip = 0.88;
constexpr double share_of_half_strip = 0.38;

}  // namespace

/// The points of a sum over the real line, and at each the shares of the components in f.
struct MixtureDecay::Sum {
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

/// The last sum for decays: a search for a height asks at one order again and again.
struct MixtureDecay::Kept {
  std::mutex mutex;
  double r = 0;
  double drop = 0;
  std::shared_ptr<const Sum> sum;
};

MixtureDecay::MixtureDecay(double step) : step_(step), kept_(std::make_shared<Kept>()) {}

double MixtureDecay::log_decay(const MixtureShape& shape, double r, double s,
                               double* best_eta) const {
  if (best_eta != nullptr) *best_eta = 0;
  if (s <= 0) return 0;
  // At great heights the integral lives where phi f^r is tiny: look farther when it is that small.
  double result = 0;
  for (const double drop : decay_drops) {
    result = log_decay(shape, r, s, drop, best_eta);
    if (!(result < drop_to_spare - drop)) break;
  }
  return result;
}

std::shared_ptr<const MixtureDecay::Sum> MixtureDecay::kept_sum(const MixtureShape& shape, double r,
                                                                double drop) const {
  const std::lock_guard<std::mutex> lock(kept_->mutex);
  if (!kept_->sum || kept_->r != r || kept_->drop != drop) {
    kept_->sum = std::make_shared<const Sum>(sum_of(shape, r, drop));
    kept_->r = r;
    kept_->drop = drop;
  }
  return kept_->sum;
}

/// Without points where the window is not within_reach().
MixtureDecay::Sum MixtureDecay::sum_of(const MixtureShape& shape, double r, double drop) const {
  const MixtureShape::Window range = shape.window(r, drop);
  if (!range.within_reach()) return {};
  const std::vector<double>& rates = shape.rates();
  const std::vector<double>& log_weights = shape.log_weights();
  const double d = std::max(step_, (range.high - range.low) / most_decay_points);
  const long first = clamped_integer(std::floor(range.low / d), -most_index, most_index);
  const long last = clamped_integer(std::ceil(range.high / d), -most_index, most_index);
  Sum result;
  for (long j = first; j <= last; ++j) {
    const double y = static_cast<double>(j) * d;
    double rate = 0;
    const double l = shape.log_f(y, rate);
    const double weight = std::exp(r * l - y * y / 2 - range.log_peak);
    if (weight < std::exp(-drop - 1.3)) continue;
    result.weights.push_back(weight);
    std::size_t from = 0;
    std::size_t to = rates.size();
    while (log_weights[from] + rates[from] * y - l < -MixtureShape::nats_of_double) ++from;
    while (log_weights[to - 1] + rates[to - 1] * y - l < -MixtureShape::nats_of_double) --to;
    result.spans.push_back({from, to, result.shares.size()});
    for (std::size_t i = from; i < to; ++i) {
      result.shares.push_back(std::exp(log_weights[i] + rates[i] * y - l));
    }
    result.sum += weight;
    result.mean_slope += weight * rate;
  }
  result.mean_slope /= result.sum;
  return result;
}

double MixtureDecay::log_decay(const MixtureShape& shape, double r, double s, double drop,
                               double* best_eta) const {
  check_work_limit();
  const auto kept = kept_sum(shape, r, drop);
  const Sum& points = *kept;
  if (points.weights.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double share =
      r < large_negative && shape.least_rate() == 0 ? share_of_half_strip : share_of_strip;
  const double top = share * std::numbers::pi / shape.greatest_rate();
  // The zero of the slope, which does not fall with eta: by secants, the first one from eta = 0,
  // and by bisection of [low, high], which holds it, where a secant leads out of that.
  double low = 0;
  double high = top;
  double last = 0;
  double last_slope = -s * points.mean_slope;
  double eta = std::min(s * points.mean_slope, decay_start * top);
  double best = 0;
  double best_at = 0;
  for (int i = 0; i < decay_sections && eta > 0; ++i) {
    const Sum::Ratio here = points.log_ratio(shape.rates(), r, s, eta);
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
