#include "mechanisms/mixtures/mixture_shape.hpp"

#include <algorithm>
#include <cmath>

namespace plaudit {

namespace {

constexpr double largest_exponent = 600;  ///< e^x is far from overflow up to here
constexpr double least_f = 1e-280;        ///< a smaller f is replaced by its greater term

}  // namespace

MixtureShape::MixtureShape(const GaussianMixture& mixture) {
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const double rate = mixture.estimated_rate(i);
    rates_.push_back(rate);
    log_weights_.push_back(estimate_log(mixture.probabilities[i]) - rate * rate / 2);
  }
  if (mixture.sensitivities.size() == 2) {
    rest_probability_ = estimate(mixture.probabilities[0]);
    rate_probability_ = estimate(mixture.probabilities[1]);
    log_rate_probability_ = estimate_log(mixture.probabilities[1]);
  }
  make_envelope();
}

void MixtureShape::make_envelope() {
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

double MixtureShape::log_f(double y, double& mean_rate) const {
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

double MixtureShape::mode_from(double start, double r, double relative) const {
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

MixtureShape::Window MixtureShape::window(double r, double drop) const {
  const double first = mode_from(0, r);
  const double second = r > 0 ? mode_from(r * greatest_rate(), r) : first;
  const auto height = [&](double y) { return r * log_f(y) - y * y / 2; };
  double peak = std::max(height(first), height(second));
  const auto edge = [&](double start, double sign) {
    double width = 1;
    double y = start;
    // Outward in growing steps until the height has dropped, then back by bisection to 0.05.
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

// The slope of log f lies between 0 and a_max and does not fall.
MixtureShape::Window MixtureShape::wide_window(double r, double drop) const {
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
  if (std::min(at_first, at_second) < peak - drop) return window(r, drop);  // one bump only
  const double least = std::min(first, second);
  // left of the first mode log f is at most what it is there; right of the second one it grows at
  // most like a_max y
  const double low = -std::sqrt(std::max(0.0, 2 * (at_first - peak + drop) + least * least));
  const double beyond = (top - second) * (top - second) / 2 + at_second - peak + drop;
  const double high = top + std::sqrt(std::max(0.0, 2 * beyond));
  return {std::min(low, least), std::max(high, second), peak};
}

}  // namespace plaudit
