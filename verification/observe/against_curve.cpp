#include "verification/observe/against_curve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_levels = 128;
// Heuristics of the search.
constexpr int most_rates = 40;            ///< at which the power is asked
constexpr double near_enough = 1e-3;      ///< of the ends of the band, relative
constexpr double first_step = 0.25;       ///< of the log odds of the rate
constexpr double least_log_odds = -200;   ///< of rates that are asked
constexpr double last_log_odds = 30;      ///< from which one more step is tried
constexpr double greatest_log_odds = 36;  ///< where 1 - rate is still no 0 as a double
constexpr double least_logarithm = 1e9;   ///< the logarithm of 0 counts as minus this

double logarithm(const Ball& x) { return std::max(x.estimate_log(), -least_logarithm); }

double log_odds(const Rational& x) { return estimate_log(x) - estimate_log(1 - x); }

Rational rate_of(double log_odds) {
  return checked_rational(1 / (1 + std::exp(-log_odds)), "false positive rate");
}

/// A multiple of 2^-64 next to x, within [0, 1], below it or above it.
Rational rounded(const Ball& x, bool up) {
  const Rational scaled =
      exact_rational(up ? x.upper() : x.lower()) * Rational(limit_denominator());
  const Integer whole = up ? -floor_of(-scaled) : floor_of(scaled);
  const Rational value(whole, limit_denominator());
  return value < 0 ? Rational(0) : value > 1 ? Rational(1) : value;
}

class LevelSearch {
 public:
  LevelSearch(const ErrorCounts& counts, const GreatestPower& power)
      : counts_(counts), power_(power) {}

  LocalLevel run(const Rational& start) {
    try {
      search(start);
    } catch (...) {
      const GivenUp why = given_up_unless_contradiction();
      level_.remark = why.words;
      level_.cause = why.cause;
    }
    return level_;
  }

 private:
  /// What the rate x says of the level. @returns by how much the logarithm of the first side
  /// exceeds that of the second: this difference falls with x.
  // Proof: docs/proofs/observe.md#p-value
  double ask(const Rational& x) {
    check_work_limit();
    ++asked_;
    const Span tau = power_(x);
    const UnlimitedWork noting;
    const PrecisionScope scope(bits_of_levels);
    const Ball& most = PLAUDIT_BOUND("observe.power_from_above", tau.upper, tau.lower);
    const Ball left = at_most(counts_.false_positives, x);
    const Ball right = at_most(counts_.false_negatives, rounded(Ball(1) - most, false));
    const Ball least_right = at_most(counts_.false_negatives, rounded(Ball(1) - tau.lower, true));
    const Ball upper = PLAUDIT_BOUND("observe.greater_side", max(left, right), min(left, right));
    level_.upper = min(level_.upper, upper).upper();
    level_.lower = max(level_.lower, min(left, least_right)).lower();
    if (certainly_less(level_.upper, level_.lower)) {
      throw std::logic_error("observe: two certified levels are disjoint");
    }
    return logarithm(left) - logarithm(right);
  }

  bool done() const {
    // Above a half the p-value is 1.
    return asked_ >= most_rates || certainly_less(Ball(1) / 2, level_.lower) ||
           certainly_less_equal(level_.upper * (1 - near_enough), level_.lower);
  }

  void search(const Rational& start) {
    double place =
        std::clamp(start > 0 && start < 1 ? log_odds(start) : 0.0, least_log_odds, last_log_odds);
    double excess = ask(start > 0 && start < 1 ? start : Rational(1, 2));
    if (excess == 0 || done()) return;
    // The other end of a bracket, by steps that double.
    double other = place;
    double other_excess = excess;
    for (double step = first_step; (other_excess > 0) == (excess > 0); step *= 2) {
      if (done() || other <= least_log_odds || other > last_log_odds) return;
      place = other;
      excess = other_excess;
      other = std::clamp(other + (excess > 0 ? step : -step), least_log_odds, greatest_log_odds);
      other_excess = ask(rate_of(other));
      if (other_excess == 0) return;
    }
    narrow(place, excess, other, other_excess);
  }

  /// By the rule of false position, where the same end does not stay twice (Illinois).
  void narrow(double a, double at_a, double b, double at_b) {
    while (!done() && std::abs(a - b) > 1e-12 * (1 + std::abs(a))) {
      double place = b - at_b * (b - a) / (at_b - at_a);
      if (!std::isfinite(place) ||
          std::max(std::abs(at_a), std::abs(at_b)) >= least_logarithm / 2) {
        place = (a + b) / 2;
      }
      const double excess = ask(rate_of(place));
      if (excess == 0) return;
      if ((excess > 0) == (at_b > 0)) {
        at_a /= 2;
      } else {
        a = b;
        at_a = at_b;
      }
      b = place;
      at_b = excess;
    }
  }

  ErrorCounts counts_;
  const GreatestPower& power_;
  LocalLevel level_;
  int asked_ = 0;
};

}  // namespace

LocalLevel local_level(const ErrorCounts& counts, const Rational& start,
                       const GreatestPower& power) {
  return LevelSearch(counts, power).run(start);
}

// Proof: docs/proofs/observe.md#p-value
Span two_sided(const LocalLevel& level) {
  const Ball sides(PLAUDIT_BOUND("observe.both_sides", 2, 1));
  return {min(Ball(1), sides * level.lower).lower(), min(Ball(1), sides * level.upper).upper()};
}

}  // namespace plaudit
