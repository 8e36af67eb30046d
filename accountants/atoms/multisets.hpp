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
    levels_.assign(1, {0, draws_, estimate_log_factorial(draws_)});
    while (!levels_.empty()) {
      if (!stopped_ && goes_on()) continue;
      levels_.pop_back();
      if (!levels_.empty()) visitor_.pop();
    }
    return whole_ && !stopped_;
  }

 private:
  /// Categories from i on share `left` draws; log_weight is log n! + sum of k log p - log k! so
  /// far. Of category i those k from the mode up are taken first, then those below it, then none.
  /// There is a level for each category that was drawn, hence a vector and no recursion.
  struct Level {
    std::size_t i;
    std::uint64_t left;
    double log_weight;
    enum class Phase { begin, up, down } phase = Phase::begin;
    std::uint64_t mode = 0;
    std::uint64_t next = 0;
  };

  /// Goes on at the last level; false where it is done.
  bool goes_on() {
    for (;;) {
      Level& at = levels_.back();
      if (at.phase == Level::Phase::begin) {
        if (at.left == 0 || at.i + 1 >= logs_.size()) {
          leave(at);
          return false;
        }
        if (!step()) return false;
        // Given the draws before, k is binomial: likelihoods fall on both sides of the mode.
        at.mode = static_cast<std::uint64_t>(
            clamped_integer(static_cast<double>(at.left) * std::exp(logs_[at.i] - sums_[at.i]), 0,
                            static_cast<long>(at.left)));
        at.next = std::max<std::uint64_t>(at.mode, 1);
        at.phase = Level::Phase::up;
      }
      if (at.phase == Level::Phase::up) {
        if (at.next <= at.left && take(at, at.next++)) return true;
        at.next = at.mode;
        at.phase = Level::Phase::down;
      }
      if (at.next > 1 && take(at, --at.next)) return true;
      if (at.log_weight + remainder(at.i + 1, at.left) < least_) {
        whole_ = false;
        return false;
      }
      ++at.i;
      at.phase = Level::Phase::begin;
    }
  }

  /// A level more, where k draws of the category of this one are likely enough.
  bool take(const Level& at, std::uint64_t k) {
    const double with = at.log_weight + times(k, logs_[at.i]) - estimate_log_factorial(k);
    if (with + remainder(at.i + 1, at.left - k) < least_) {
      whole_ = false;
      return false;
    }
    visitor_.push(at.i, k);
    levels_.push_back({at.i + 1, at.left - k, with});
    return true;
  }

  /// What is left is drawn from the last category.
  void leave(const Level& at) {
    const double log_probability = at.log_weight + remainder(at.i, at.left);
    if (log_probability < least_) {
      whole_ = false;
      return;
    }
    if (!step()) return;
    if (at.left > 0) visitor_.push(at.i, at.left);
    visitor_.leaf(log_probability);
    if (at.left > 0) visitor_.pop();
  }

  bool step() {
    stopped_ = !visitor_.step();
    return !stopped_;
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
  std::vector<Level> levels_;
  bool whole_ = true;
  bool stopped_ = false;
};

}  // namespace plaudit
