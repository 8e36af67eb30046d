// Multisets of independent draws: how often each category was drawn, within given numbers of draws
// and without those that are rare.
//
// n draws from K categories give C(n+K-1, K-1) multisets of multinomial probability. They are
// visited by a depth-first search over the categories, which skips a branch when all of it together
// is less likely than e^least. Probabilities are in floating point: they choose what is visited and
// enter no bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "lib/analysis/log_sums.hpp"
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

/// log of the greatest probability of one multiset, from above, in floating point: the multinomial
/// mass at the means m. Their factorials are m^m e^-m sqrt(6m + 1), which is Gosper's form divided
/// by its value sqrt(pi/3) for 0!, so that categories that are hardly ever drawn add nothing.
inline double estimate_log_mode(const std::vector<double>& logs, std::uint64_t draws) {
  double sum = estimate_log_factorial(draws);
  for (const double log : logs) {
    const double mean = static_cast<double>(draws) * std::exp(log);
    if (mean <= 0) continue;
    sum += mean * log - mean * (std::log(mean) - 1) - std::log1p(6 * mean) / 2;
  }
  return std::min(sum, 0.0);
}

/// A category that is drawn at least `low` times, and at most `high` times.
struct Category {
  double log;  ///< of its probability
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
};

/// @tparam Visitor push(i, k): category i was drawn k >= 1 times more than its least number; pop()
///   takes that back; leaf(log_probability): the pushed ones are a multiset; step() -> bool, at
///   every node of the search: false ends it.
template <class Visitor>
class Multisets {
 public:
  /// @param categories at least one; the lows add up to `draws` at most, the highs at least.
  Multisets(std::vector<Category> categories, std::uint64_t draws, double least, Visitor& visitor)
      : categories_(std::move(categories)),
        after_(categories_.size() + 1),
        draws_(draws),
        least_(least),
        visitor_(visitor) {
    for (std::size_t i = categories_.size(); i-- > 0;) {
      const Category& one = categories_[i];
      const Rest& next = after_[i + 1];
      after_[i] = {estimate_log_sum(one.log, next.log_sum),
                   next.log_of_lows + times(one.low, one.log) - estimate_log_factorial(one.low),
                   next.lows + one.low, next.spans + std::min(one.high - one.low, draws)};
    }
  }

  /// Whether every multiset within the limits was visited.
  bool visit() {
    whole_ = true;
    stopped_ = false;
    levels_.assign(
        1, {0, draws_ - after_[0].lows, estimate_log_factorial(draws_) + after_[0].log_of_lows});
    while (!levels_.empty()) {
      if (!stopped_ && goes_on()) continue;
      levels_.pop_back();
      if (!levels_.empty()) visitor_.pop();
    }
    return whole_ && !stopped_;
  }

 private:
  /// Of the categories from one on.
  struct Rest {
    double log_sum = -std::numeric_limits<double>::infinity();  ///< of their probabilities
    double log_of_lows = 0;                                     ///< sum of low log p - log low!
    std::uint64_t lows = 0;                                     ///< sum of their least numbers
    std::uint64_t spans = 0;  ///< at most so many draws more, not above a number for each
  };

  /// Categories from i on share `left` draws beyond their least numbers; log_weight is log n! + sum
  /// of k log p - log k! with the least numbers where none is decided yet. Of category i those k
  /// from the mode up are taken first, then those below it, then none. There is a level for each
  /// category that was drawn, hence a vector and no recursion.
  struct Level {
    std::size_t i;
    std::uint64_t left;
    double log_weight;
    enum class Phase { begin, up, down } phase = Phase::begin;
    std::uint64_t mode = 0;
    std::uint64_t next = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };

  /// Goes on at the last level; false where it is done.
  bool goes_on() {
    for (;;) {
      Level& at = levels_.back();
      if (at.phase == Level::Phase::begin) {
        if (at.left == 0 || at.i + 1 >= categories_.size()) {
          leave(at);
          return false;
        }
        if (!step()) return false;
        begin(at);
      }
      if (at.phase == Level::Phase::up) {
        if (at.next <= at.last && take(at, at.next++)) return true;
        at.next = at.mode;
        at.phase = Level::Phase::down;
      }
      if (at.next > std::max<std::uint64_t>(at.first, 1) && take(at, --at.next)) return true;
      if (at.first > 0) return false;
      if (at.log_weight + log_of_rest(at, 0) < least_) {
        whole_ = false;
        return false;
      }
      ++at.i;
      at.phase = Level::Phase::begin;
    }
  }

  /// Given the draws before, the number of draws of a category is binomial but for the limits:
  /// likelihoods fall on both sides of the mode.
  void begin(Level& at) const {
    const Category& one = categories_[at.i];
    const std::uint64_t others = after_[at.i + 1].spans;
    at.first = at.left > others ? at.left - others : 0;
    at.last = std::min(at.left, one.high - one.low);
    const double all = static_cast<double>(at.left + after_[at.i].lows);
    const double mean = all * std::exp(one.log - after_[at.i].log_sum);
    at.mode = static_cast<std::uint64_t>(clamped_integer(mean - static_cast<double>(one.low),
                                                         static_cast<long>(at.first),
                                                         static_cast<long>(at.last)));
    at.next = std::max<std::uint64_t>(at.mode, 1);
    at.phase = Level::Phase::up;
  }

  /// A level more, where k draws of the category of this one are likely enough.
  bool take(const Level& at, std::uint64_t k) {
    const double with = log_weight(at, k);
    if (with + log_of_rest(at, k) < least_) {
      whole_ = false;
      return false;
    }
    const Level next{at.i + 1, at.left - k, with};
    visitor_.push(at.i, k);
    levels_.push_back(next);
    return true;
  }

  /// What is left is drawn from the last category.
  void leave(const Level& at) {
    const double log = at.left > 0 ? log_weight(at, at.left) : at.log_weight;
    if (log < least_) {
      whole_ = false;
      return;
    }
    if (!step()) return;
    if (at.left > 0) visitor_.push(at.i, at.left);
    visitor_.leaf(log);
    if (at.left > 0) visitor_.pop();
  }

  bool step() {
    stopped_ = !visitor_.step();
    return !stopped_;
  }

  /// With k draws of the category more.
  double log_weight(const Level& at, std::uint64_t k) const {
    const Category& one = categories_[at.i];
    const double lows = one.low == 0 ? 0 : estimate_log_factorial(one.low);
    return at.log_weight + times(k, one.log) - estimate_log_factorial(one.low + k) + lows;
  }

  /// log of the factor by which all multisets with k draws more of the category together exceed
  /// that weight, at most: the rest drawn from all later categories, their limits ignored.
  double log_of_rest(const Level& at, std::uint64_t k) const {
    const Rest& rest = after_[at.i + 1];
    const std::uint64_t others = at.left - k + rest.lows;
    return times(others, rest.log_sum) - rest.log_of_lows - estimate_log_factorial(others);
  }

  static double times(std::uint64_t k, double x) { return k == 0 ? 0 : static_cast<double>(k) * x; }

  std::vector<Category> categories_;
  std::vector<Rest> after_;
  std::uint64_t draws_;
  double least_;
  Visitor& visitor_;
  std::vector<Level> levels_;
  bool whole_ = true;
  bool stopped_ = false;
};

}  // namespace plaudit
