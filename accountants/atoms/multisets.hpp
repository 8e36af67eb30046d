// Multisets of independent draws: how often each category was drawn, without those that are rare.
//
// n draws from K categories give C(n+K-1, K-1) multisets of multinomial probability. They are
// visited by a depth-first search over the categories, which skips a branch when all of it together
// is less likely than e^least. Probabilities are in floating point: they choose what is visited and
// enter no bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "lib/exact/checked_integer.hpp"

namespace plaudit {

/// log k! in floating point.
inline double estimate_log_factorial(std::uint64_t k) {
  static const std::vector<double> small = [] {
    std::vector<double> result(1024, 0.0);
    for (std::size_t i = 1; i < result.size(); ++i) {
      result[i] = result[i - 1] + std::log(static_cast<double>(i));
    }
    return result;
  }();
  if (k < small.size()) return small[k];
  const auto x = static_cast<double>(k);
  return x * std::log(x) - x + std::log(2 * std::numbers::pi * x) / 2 + 1 / (12 * x);
}

/// log(e^a + e^b).
inline double estimate_log_sum(double a, double b) {
  const double most = std::max(a, b);
  return std::isfinite(most) ? most + std::log1p(std::exp(std::min(a, b) - most)) : most;
}

/// log of the greatest probability of one multiset, from above, in floating point: the multinomial
/// mass at the means, with Gosper's form of the factorials there.
inline double estimate_log_mode(const std::vector<double>& logs, std::uint64_t draws) {
  double sum = estimate_log_factorial(draws);
  for (const double log : logs) {
    const double mean = static_cast<double>(draws) * std::exp(log);
    if (mean <= 0) continue;
    sum += mean * log - mean * (std::log(mean) - 1) -
           std::log(2 * std::numbers::pi * mean + std::numbers::pi / 3) / 2;
  }
  return std::min(sum, 0.0);
}

/// @tparam Visitor push(i, k): category i was drawn k >= 1 times; pop() takes that back;
///   leaf(log_probability): the pushed ones are a multiset; step() -> bool, at every node of the
///   search: false ends it.
template <class Visitor>
class Multisets {
 public:
  /// @param logs of the probabilities of the categories, at least one.
  Multisets(std::vector<double> logs, std::uint64_t draws, double least, Visitor& visitor)
      : logs_(std::move(logs)), sums_(logs_), draws_(draws), least_(least), visitor_(visitor) {
    for (std::size_t i = sums_.size() - 1; i-- > 0;) {
      sums_[i] = estimate_log_sum(sums_[i], sums_[i + 1]);
    }
  }

  /// Whether every multiset was visited.
  bool visit() {
    whole_ = true;
    stopped_ = false;
    descend(0, draws_, estimate_log_factorial(draws_));
    return whole_ && !stopped_;
  }

 private:
  /// Categories from i on share `left` draws; log_weight is log n! + sum of k log p - log k! so
  /// far.
  void descend(std::size_t i, std::uint64_t left, double log_weight) {
    for (; left > 0 && i + 1 < logs_.size(); ++i) {
      if (stopped_ || !visitor_.step()) {
        stopped_ = true;
        return;
      }
      const auto weight = [&](std::uint64_t k) {
        return log_weight + times(k, logs_[i]) - estimate_log_factorial(k);
      };
      const auto take = [&](std::uint64_t k) {
        const double with = weight(k);
        if (with + remainder(i + 1, left - k) < least_) {
          whole_ = false;
          return false;
        }
        visitor_.push(i, k);
        descend(i + 1, left - k, with);
        visitor_.pop();
        return !stopped_;
      };
      // Given the draws before, k is binomial: likelihoods fall on both sides of the mode.
      const auto mode = static_cast<std::uint64_t>(clamped_integer(
          static_cast<double>(left) * std::exp(logs_[i] - sums_[i]), 0, static_cast<long>(left)));
      for (std::uint64_t k = std::max<std::uint64_t>(mode, 1); k <= left && take(k); ++k) {
      }
      for (std::uint64_t k = mode; k > 1 && !stopped_ && take(k - 1); --k) {
      }
      if (stopped_) return;
      if (log_weight + remainder(i + 1, left) < least_) {
        whole_ = false;
        return;
      }
    }
    const double log_probability = log_weight + remainder(i, left);
    if (log_probability < least_) {
      whole_ = false;
      return;
    }
    if (!visitor_.step()) {
      stopped_ = true;
      return;
    }
    if (left > 0) visitor_.push(i, left);
    visitor_.leaf(log_probability);
    if (left > 0) visitor_.pop();
  }

  /// What `left` draws from the categories i, i+1, ... contribute, all together.
  double remainder(std::size_t i, std::uint64_t left) const {
    return times(left, sums_[std::min(i, sums_.size() - 1)]) - estimate_log_factorial(left);
  }
  static double times(std::uint64_t k, double x) { return k == 0 ? 0 : static_cast<double>(k) * x; }

  std::vector<double> logs_;
  std::vector<double> sums_;  ///< logs of the sums of the probabilities i, i+1, ...
  std::uint64_t draws_;
  double least_;
  Visitor& visitor_;
  bool whole_ = true;
  bool stopped_ = false;
};

}  // namespace plaudit
