#include "verification/observe/all_thresholds.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_violations = 96;
constexpr double dropped_share = 1e-12;    ///< of the first violation, in one step: a choice
constexpr double seconds_of_term = 3e-10;  ///< nominal
// binary64 bound: docs/proofs/observe.md#violation
constexpr double unit_roundoff = 0x1p-53;  ///< of doubles
constexpr double all_underflows = 1e-290;  ///< more than 10^33 times the least positive double

/// P(Pois(rate) > k), from above.
Ball poisson_tail_above(const Ball& rate, std::uint64_t k) {
  if (!certainly_less(rate, Ball(k + 2))) return 1;
  const Ball next = power(rate, k + 1) * exp(-rate) / factorial(k + 1);
  return (next / (Ball(1) - rate / Ball(k + 2))).upper();
}

/// A k with P(Pois(rate) > k) of about e^log_mass (Chernoff's bound, by Newton): a choice.
std::uint64_t far_enough(double rate, std::uint64_t most, double log_mass) {
  rate = std::max(rate, 1e-300);
  double k = rate - log_mass + std::sqrt(-2 * log_mass * rate);
  for (int i = 0; i < 8; ++i) {
    k -= (k * std::log(k / rate) - k + rate + log_mass) / std::log(k / rate);
  }
  return std::min(static_cast<std::uint64_t>(clamped_integer(k, 0, most_index)) + 1, most);
}

/// Points of a Poisson process of the rate n, counted at c_1, c_2, ..: the mass of each count that
/// has violated nothing so far, in doubles, and what they are off by.
class Points {
 public:
  /// @param log_dropped of what may be left out in one step, about
  Points(std::size_t n, double log_dropped) : n_(n), log_dropped_(log_dropped) {}

  /// Goes on to c_i, the i-th. @returns the mass of i - 1 points at c_i: the first violation.
  double go_to(std::size_t i, const Rational& c) {
    const Rational rate = Rational(n_) * (c - at_);
    at_ = c;
    if (rate == 0) {  // i - 1 points are too few, i are not
      const double violated = mass_.front();
      mass_.erase(mass_.begin());
      if (mass_.empty()) mass_.push_back(0);
      ++first_;
      return violated;
    }
    const std::vector<double> weights = weights_of(rate);
    const double violated = weights[0] * mass_.front();
    const std::uint64_t last = first_ + mass_.size() - 1;
    std::uint64_t top = std::min<std::uint64_t>(n_, last + weights.size() - 1);
    const Rational so_far = Rational(n_) * c;
    const std::uint64_t far =
        std::max<std::uint64_t>(i, far_enough(estimate(so_far), n_, log_dropped_));
    if (far < top) {
      top = far;
      dropped_ += poisson_tail_above(Ball(so_far), top);
    }
    std::vector<double> next(top < i ? 1 : top - i + 1, 0.0);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      // From s to s + j points.
      const std::uint64_t from = std::max<std::uint64_t>(first_, i > j ? i - j : 0);
      const double weight = weights[j];
      for (std::uint64_t s = from; s <= last && s + j <= top; ++s) {
        next[s + j - i] += weight * mass_[s - first_];
      }
    }
    check_work_limit(seconds_of_term * static_cast<double>(weights.size() * next.size()));
    mass_ = std::move(next);
    first_ = i;
    return violated;
  }

  /// At least the mass that was left out of all counts.
  const Ball& dropped() const { return dropped_; }
  /// Each mass is its number times (1 + x), |x| at most this: so many roundings, and underflows
  /// besides, which dropped() covers.
  Ball relative_error() const {
    const Ball all = Ball(roundings_) * Ball(unit_roundoff);
    return all / (Ball(1) - all);
  }

 private:
  /// P(Pois(rate) = j), as far as that matters, as doubles.
  std::vector<double> weights_of(const Rational& rate) {
    const std::uint64_t most = far_enough(estimate(rate), n_, log_dropped_);
    if (most < n_) dropped_ += poisson_tail_above(Ball(rate), most);
    std::vector<double> weights;
    Ball weight = exp(-Ball(rate));
    for (std::uint64_t j = 0; j <= most; ++j) {
      weights.push_back(weight.upper_double());
      weight = weight * Ball(rate) / Ball(j + 1);
    }
    // Two for a weight, which is the upper end of a narrow ball; one for its product; sums.
    roundings_ += 3 + weights.size();
    return weights;
  }

  std::size_t n_;
  double log_dropped_;
  Rational at_ = 0;
  std::uint64_t first_ = 0;  ///< points of mass_[0]
  std::vector<double> mass_{1.0};
  Ball dropped_{all_underflows};
  std::uint64_t roundings_ = 1;
};

/// P(Pois(rate) = k).
Ball poisson(const Ball& rate, std::uint64_t k) {
  if (k == 0) return exp(-rate);
  return power(rate, k) * exp(-rate) / factorial(k);
}

}  // namespace

// Proof: docs/proofs/observe.md#violation
Span violation(const std::vector<Rational>& c) {
  const std::size_t n = c.size();
  const PrecisionScope scope(bits_of_violations);
  const double log_first = static_cast<double>(n) * estimate_log(1 - c.front());
  Points points(n, std::max(log_first, -600.0) + std::log(dropped_share / static_cast<double>(n)));
  Ball sum(0);
  for (std::size_t i = 1; i <= n; ++i) {
    const double first_here = points.go_to(i, c[i - 1]);
    sum += Ball(first_here) * poisson(Ball(Rational(Rational(n) * (1 - c[i - 1]))), n - i + 1);
  }
  const Ball all = poisson(Ball(n), n);
  const Ball off = points.relative_error();
  const Ball least = (sum - Ball(all_underflows)) / (Ball(1) + off) / all;
  const Ball most = PLAUDIT_BOUND("observe.violation_above",
                                  (sum / (Ball(1) - off) + points.dropped()) / all, least);
  return {max(Ball(0), least).lower(), min(Ball(1), most).upper()};
}

namespace {

/// A rate by the smaller one of it and its complement, of which a double has all digits.
struct RoughRate {
  double smaller;
  bool complement;
  Rational exactly() const {
    const Rational size = checked_rational(std::clamp(smaller, 0.0, 1.0), "limit");
    return complement ? Rational(1 - size) : size;
  }
};

using Quiet = boost::math::policies::policy<
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

/// About the rate with P(Bin(n, rate) <= k) = b: Boost's inverse where it is one, which it is not
/// for very small b, else by bisection of the log odds.
RoughRate rough_limit(double k, double n, double b) {
  const auto at_rate = [&](const RoughRate& x) {
    return x.complement ? boost::math::ibeta(n - k, k + 1, x.smaller, Quiet())
                        : boost::math::ibetac(k + 1, n - k, x.smaller, Quiet());
  };
  RoughRate found{boost::math::ibetac_inv(k + 1, n - k, b, Quiet()), false};
  if (found.smaller > 0.5) found = {boost::math::ibeta_inv(n - k, k + 1, b, Quiet()), true};
  if (found.smaller > 0 && found.smaller < 1 && std::abs(at_rate(found) / b - 1) < 1e-6)
    return found;
  double low = -700;
  double high = 700;
  for (int i = 0; i < 64; ++i) {
    const double odds = (low + high) / 2;
    found = {1 / (1 + std::exp(std::abs(odds))), odds > 0};
    (at_rate(found) > b ? low : high) = odds;
  }
  return found;
}

}  // namespace

// A heuristic: nothing here enters a bound.
Limits rough_limits(std::size_t n, double b) {
  Limits limits;
  for (std::size_t k = 0; k < n; ++k) {
    const RoughRate found = rough_limit(static_cast<double>(k), static_cast<double>(n), b);
    limits.push_back(std::max(found.exactly(), k > 0 ? limits.back() : Rational(0)));
    check_work_limit(1e-6);
  }
  return limits;
}

namespace {

/// P(Bin(n, rate) <= k), 0 < rate < 1. @param choose C(n, k)
// Proof: docs/proofs/observe.md#violation
Ball tail(const Ball& choose, std::size_t k, std::size_t n, const Rational& rate) {
  const Ball other(Rational(1 - rate));
  const double odds = (Ball(rate) / other).estimate();
  double term = 1;
  double sum = 1;
  double rest = 0;
  std::size_t steps = 1;
  for (std::size_t j = k; j > 0; --j, ++steps) {
    const double ratio = static_cast<double>(j) / (static_cast<double>(n - j + 1) * odds);
    // The ratios fall along the sum: what follows is at most the geometric series of this one.
    if (ratio < 0.999) {
      rest = 2 * term * ratio / (1 - ratio);
      if (rest < 0x1p-50 * sum) break;
      rest = 0;
    }
    term *= ratio;
    sum += term;
  }
  // Each step rounds five times (odds, its product, ratio, term, sum): 8 units are enough.
  const Ball off = Ball(sum) * Ball(8 * steps) * Ball(unit_roundoff) + Ball(rest);
  return choose * power(Ball(rate), k) * power(other, n - k) * widened(Ball(sum), off);
}

}  // namespace

// Proof: docs/proofs/observe.md#all-thresholds
Limits decided_limits(std::size_t n, const Rational& b, bool below) {
  Limits limits = rough_limits(n, estimate(b));
  const PrecisionScope scope(bits_of_violations);
  const Ball level(b);
  Ball choose(1);
  for (std::size_t k = 0; k < n; ++k) {
    const Rational rough = limits[k];
    for (long slack = 36;; slack -= 4) {
      const Rational off = std::min(rough, Rational(1 - rough)) /
                           (Integer(1) << static_cast<unsigned long>(std::max(slack, 0L)));
      limits[k] = below ? Rational(rough - off) : Rational(rough + off);
      // At 0 the tail is 1, at 1 it is 0: these ends are decided, and tried last.
      if (slack <= 0) {
        limits[k] = below ? 0 : 1;
        break;
      }
      if (limits[k] <= 0 || limits[k] >= 1) continue;
      const Ball found = tail(choose, k, n, limits[k]);
      if (below ? certainly_less_equal(level, found) : certainly_less_equal(found, level)) break;
    }
    if (k > 0) limits[k] = std::max(limits[k], limits[k - 1]);
    choose = choose * Ball(n - k) / Ball(k + 1);
  }
  return limits;
}

// Proof: docs/proofs/observe.md#all-thresholds
Limits simultaneous_limits(std::size_t n, const Rational& level) {
  // log W is about a line in log b: by the secant from below.
  constexpr int most_tries = 30;
  constexpr double near_enough = 0.99;
  const double wanted = estimate_log(level);
  double log_b = wanted - std::log(2.0 + std::log(static_cast<double>(n) + 1));
  double before = 0;
  double at_before = 0;
  double low = -1e300;  // log of the greatest b known to do, of the least known not to
  double high = wanted;
  Limits best;
  for (int i = 0; i < most_tries; ++i) {
    const Limits limits = rough_limits(n, std::exp(log_b));
    const Span found = violation(limits);
    const double at = found.upper.estimate_log() - wanted;
    if (certainly_less_equal(PLAUDIT_BOUND("observe.all_violations", found.upper, Ball(0)),
                             Ball(level))) {
      if (best.empty() || log_b > low) best = limits;
      low = std::max(low, log_b);
      if (at > std::log(near_enough)) break;
    } else {
      high = std::min(high, log_b);
    }
    const double slope = i > 0 && log_b != before ? (at - at_before) / (log_b - before) : 1.0;
    before = log_b;
    at_before = at;
    log_b -= (at - std::log(near_enough) / 2) / (slope > 0.2 && slope < 5 ? slope : 1.0);
    if (log_b <= low || log_b >= high) log_b = low > -1e299 ? (low + high) / 2 : high - 1;
  }
  return best.empty() ? Limits(n, Rational(1)) : best;
}

Ball local_violation_above(std::size_t n, const Rational& b) {
  return violation(decided_limits(n, b, PLAUDIT_BOUND("observe.limits_below", true, false))).upper;
}

Ball local_violation_below(std::size_t n, const Rational& b) {
  return violation(decided_limits(n, b, false)).lower;
}

std::vector<ErrorCounts> best_counts(const Scores& scores) {
  std::vector<Score> with_record = scores.with_record;
  std::vector<Score> without_record = scores.without_record;
  std::sort(with_record.begin(), with_record.end());
  std::sort(without_record.begin(), without_record.end());
  std::vector<ErrorCounts> best;
  // At a score with the record as threshold; from the greatest one down.
  for (std::size_t j = with_record.size(); j-- > 0;) {
    if (j > 0 && with_record[j - 1] == with_record[j]) continue;
    const auto below =
        std::lower_bound(without_record.begin(), without_record.end(), with_record[j]);
    const auto positives = static_cast<std::uint64_t>(without_record.end() - below);
    if (!best.empty() && best.back().false_positives.of == positives) best.pop_back();
    best.push_back({{positives, without_record.size()}, {j, with_record.size()}});
  }
  return best;
}

}  // namespace plaudit
