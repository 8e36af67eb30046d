#include "verification/observe/observe_all.hpp"

#include <cmath>
#include <optional>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "lib/work/given_up.hpp"
#include "lib/work/unlimited_work.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/meaning/threshold_guess.hpp"
#include "verification/observe/all_thresholds.hpp"
#include "verification/observe/claimed.hpp"

namespace plaudit {

namespace {

constexpr long bits_at_all = 128;
constexpr int most_rounds = 200;  ///< of the search among thresholds, each of one question at least
constexpr double just_below = 1 - 1e-9;

/// Limits for each kind of run.
struct OfBoth {
  Limits without_record;
  Limits with_record;

  static Rational at(const Limits& limits, const Count& count) {
    return count.of < limits.size() ? limits[count.of] : Rational(1);
  }
  Rational fpr(const ErrorCounts& counts) const {
    return at(without_record, counts.false_positives);
  }
  Rational fnr(const ErrorCounts& counts) const { return at(with_record, counts.false_negatives); }
};

template <class Of>
OfBoth of_both(const Scores& scores, const Of& of) {
  const std::size_t n = scores.without_record.size();
  const std::size_t m = scores.with_record.size();
  OfBoth both{of(n), {}};
  both.with_record = n == m ? both.without_record : of(m);
  return both;
}

template <class Of>
Ball sum_of_both(const Scores& scores, const Of& of) {
  const std::size_t n = scores.without_record.size();
  const std::size_t m = scores.with_record.size();
  const Ball one = of(n);
  return n == m ? 2 * one : one + of(m);
}

/// The p-value of the least local level: W_n + W_m there.
// Proof: docs/proofs/observe.md#all-thresholds
ObservedPValue p_value_at(const Scores& scores, const LocalLevel& least) {
  const PrecisionScope scope(bits_at_all);
  ObservedPValue found{0, 1, least.remark, least.cause};
  if (certainly_less(least.upper, Ball(1) / 2)) {
    const Rational b = exact_rational(least.upper.upper());
    const auto above = [&](std::size_t n) { return local_violation_above(n, b); };
    const Ball once = 2 * Ball(b);  // what one threshold that was fixed before would give
    if (b > 0) {
      found.upper =
          min(Ball(1), PLAUDIT_BOUND("observe.of_all_thresholds", sum_of_both(scores, above), once))
              .upper();
    }
  }
  const Rational b = exact_rational(least.lower.lower());
  if (b > 0 && b < Rational(1, 2)) {
    const auto below = [&](std::size_t n) { return local_violation_below(n, b); };
    found.lower = min(found.upper, sum_of_both(scores, below)).lower();
  } else if (b > 0) {
    found.lower = 1;  // the first order statistics alone: twice b
  }
  return found;
}

/// The least local level among the thresholds. Which has it is searched; that no other has less is
/// decided by the limits at a level just below it.
class LeastLevel {
 public:
  LeastLevel(const Scores& scores, Claimed& claimed, const OfBoth& limits)
      : scores_(scores),
        claimed_(claimed),
        limits_(limits),
        corners_(best_counts(scores)),
        asked_(corners_.size()) {}

  LocalLevel run(const Rational& level) {
    try {
      for (ClaimedPower& direction : claimed_.directions()) {
        for (const long odds : {1, 4, 16, 64, 256}) direction.at(Rational(1, 1 + odds));
      }
      ask(worst(level / 16).at);
      for (int i = 0; i < most_rounds; ++i) {
        const Rational below = exact_rational((asked_[at_]->lower * just_below).lower());
        if (below <= 0) break;
        const Unproven other = worst(below);
        if (!other.any) return finished(below);
        // First of the claim at its rate, then at the rates of its own local level.
        ClaimedPower& direction = claimed_.directions()[other.direction];
        if (direction.asked(other.rate)) {
          ask(other.at);
        } else {
          direction.at(other.rate);
        }
      }
      if (found_.remark.empty()) found_.remark = "not all thresholds were compared";
    } catch (...) {
      const GivenUp why = given_up_unless_contradiction();
      found_.remark = why.words;
      found_.cause = why.cause;
    }
    return found_;
  }

  const ErrorCounts& counts() const { return corners_[at_]; }

 private:
  struct Unproven {
    bool any = false;
    std::size_t at = 0;
    std::size_t direction = 0;
    Rational rate = 0;
    double excess = 0;
  };

  /// Of the thresholds that were not asked, the one whose level is the furthest below b for all
  /// that is known.
  // Proof: docs/proofs/observe.md#all-thresholds
  Unproven worst(const Rational& b) {
    const PrecisionScope scope(bits_at_all);
    if (b != limits_at_) {
      decided_ = of_both(scores_, [&](std::size_t n) { return decided_limits(n, b, true); });
      limits_at_ = b;
    }
    Unproven found;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      if (asked_[i]) continue;
      for (std::size_t d = 0; d < claimed_.directions().size(); ++d) {
        const ClaimedPower& direction = claimed_.directions()[d];
        const bool remove = direction.remove();
        const Rational rate = remove ? decided_.fpr(corners_[i]) : decided_.fnr(corners_[i]);
        const Rational other = remove ? decided_.fnr(corners_[i]) : decided_.fpr(corners_[i]);
        const Ball least_error = Ball(1) - direction.known_from_below(rate);
        if (other == 1 || certainly_less_equal(least_error, Ball(other))) continue;
        const double excess = least_error.estimate_log() - estimate_log(other);
        if (!found.any || excess > found.excess) found = {true, i, d, rate, excess};
      }
    }
    return found;
  }

  void ask(std::size_t i) {
    const ErrorCounts& counts = corners_[i];
    if (!asked_[at_]) at_ = i;  // none was asked before: `at_` is always one that was
    asked_[i] = claimed_.level(counts, limits_.fpr(counts), limits_.fnr(counts));
    if (certainly_less(asked_[i]->upper, found_.upper)) {
      at_ = i;
      found_.upper = asked_[i]->upper;
    }
    if (found_.remark.empty()) {
      found_.remark = asked_[i]->remark;
      found_.cause = asked_[i]->cause;
    }
  }

  /// All others have at least this.
  LocalLevel finished(const Rational& below) {
    const PrecisionScope scope(bits_at_all);
    found_.lower = Ball(below).lower();
    for (const auto& one : asked_) {
      if (one) found_.lower = min(found_.lower, one->lower).lower();
    }
    return found_;
  }

  const Scores& scores_;
  Claimed& claimed_;
  const OfBoth& limits_;
  std::vector<ErrorCounts> corners_;
  std::vector<std::optional<LocalLevel>> asked_;
  std::size_t at_ = 0;
  LocalLevel found_;
  OfBoth decided_ = {};
  Rational limits_at_ = -1;
};

/// Of a rational that may be 0 or less, where no epsilon is shown.
double rough_log_ratio(const Rational& above, const Rational& below) {
  return above > 0 ? estimate_log(above) - estimate_log(below) : -infinity;
}

/// What some counts under simultaneous limits say, each number by those of them that say most.
// Proof: docs/proofs/observe.md#all-thresholds
FromCounts from_all(const std::vector<ErrorCounts>& corners, const OfBoth& limits,
                    const std::vector<Rational>& deltas) {
  const PrecisionScope scope(bits_at_all);
  FromCounts found{1, 1, std::vector<Ball>(deltas.size(), Ball(0)), Ball(0)};
  double most = -1e300;
  std::vector<double> most_at(deltas.size(), 0);
  std::vector<const ErrorCounts*> best(deltas.size(), nullptr);
  // The best ones are chosen in floating point.
  for (const ErrorCounts& one : corners) {
    const Rational a = limits.fpr(one);
    const Rational c = limits.fnr(one);
    const double mu = normal_score(estimate_log(a)) + normal_score(estimate_log(c));
    if (a < 1 && c < 1 && mu > most) {
      most = mu;
      found.fpr = a;
      found.fnr = c;
    }
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      const double epsilon =
          std::max(rough_log_ratio(1 - c - deltas[i], a), rough_log_ratio(1 - a - deltas[i], c));
      if (epsilon > most_at[i]) {
        most_at[i] = epsilon;
        best[i] = &one;
      }
    }
  }
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    if (best[i] == nullptr) continue;
    found.epsilons[i] = epsilon_from(limits.fpr(*best[i]), limits.fnr(*best[i]), deltas[i]);
  }
  found.mu = mu_from(found.fpr, found.fnr);
  return found;
}

void check_scores(const Scores& scores) {
  for (const std::size_t runs : {scores.with_record.size(), scores.without_record.size()}) {
    if (runs >= 1 && runs <= most_runs_of_all_thresholds) continue;
    throw SpecError("scores: all thresholds at once are for 1 to " +
                    std::to_string(most_runs_of_all_thresholds) + " runs of each kind, not " +
                    std::to_string(runs) +
                    "; of more a threshold that was fixed before, or split, is counted");
  }
}

}  // namespace

ObservationAtAll observe_all(const Composition& claim, const Scores& scores, const Rational& level,
                             const std::vector<Rational>& deltas, const AnswerOptions& options,
                             const std::function<void(const ObservationAtAll&)>& known) {
  check_levels(level, deltas);
  check_scores(scores);
  const Rational side = level / PLAUDIT_BOUND("observe.half_at_all", 2, 1);
  const OfBoth limits =
      of_both(scores, [&](std::size_t n) { return simultaneous_limits(n, side); });
  const std::vector<ErrorCounts> corners = best_counts(scores);
  ErrorCounts perfect = corners.front();  // Proof: docs/proofs/observe.md#ceiling
  perfect.false_positives.of = 0;
  perfect.false_negatives.of = 0;
  ObservationAtAll result{
      {from_all(corners, limits, deltas), {}, from_all({perfect}, limits, deltas), {}},
      corners.front()};
  for (const ErrorCounts& one : corners) result.rates.push_back({limits.fpr(one), limits.fnr(one)});
  if (known) known(result);
  const MemoryLimit memory(options.memory_bytes);
  const WorkLimit limit(options.timeout_seconds);
  Claimed claimed(claim, options);
  {
    const WorkLimit most_of_it(0.7 * work_seconds_left());
    LeastLevel least(scores, claimed, limits);
    const LocalLevel found = least.run(level);
    result.counts = least.counts();
    const UnlimitedWork ending;
    result.p_value = p_value_at(scores, found);
  }
  if (known) known(result);
  const LocalLevel best = claimed.level(perfect, limits.fpr(perfect), limits.fnr(perfect));
  const UnlimitedWork ending;
  result.ceiling_p_value = p_value_at(scores, best);
  return result;
}

}  // namespace plaudit
