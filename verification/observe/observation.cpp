#include "verification/observe/observation.hpp"

#include <map>
#include <memory>

#include "lib/analysis/normal/normal_quantile.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/meaning/best_tests.hpp"

namespace plaudit {

namespace {

constexpr long bits_from_counts = 256;

void check_count(const char* what, std::uint64_t of, std::uint64_t trials) {
  if (trials < 1 || trials > most_observed_runs || of > trials) {
    throw SpecError(std::string(what) +
                    ": must be K of N runs with 1 <= N <= " + std::to_string(most_observed_runs) +
                    " and K <= N, not " + std::to_string(of) + " of " + std::to_string(trials));
  }
}

/// log(gain / cost), from below, where that is positive.
Ball log_ratio(const Rational& gain, const Rational& cost) {
  if (gain <= cost) return 0;
  const Ball ratio = log(Ball(gain / cost));
  return PLAUDIT_BOUND("observe.epsilon_from_below", ratio.lower(), ratio.upper());
}

// Proof: docs/proofs/observe.md#lower-ends
Ball epsilon_from(const Rational& fpr, const Rational& fnr, const Rational& delta) {
  return max(log_ratio(1 - fnr - delta, fpr), log_ratio(1 - fpr - delta, fnr)).lower();
}

// Proof: docs/proofs/observe.md#lower-ends
Ball mu_from(const Rational& fpr, const Rational& fnr) {
  if (fpr == 1 || fnr == 1) return 0;
  const std::optional<Ball> x = normal_quantile(Ball(fpr));
  const std::optional<Ball> y = normal_quantile(Ball(fnr));
  if (!x || !y) return 0;
  const Ball mu = -*x - *y;
  return max(Ball(0), PLAUDIT_BOUND("observe.mu_from_below", mu.lower(), mu.upper())).lower();
}

/// What the claim allows in one direction.
class ClaimedPower {
 public:
  ClaimedPower(const Composition& claim, AnswerOptions options, DirectionChoice direction)
      : tests_(claim, of_direction(std::move(options), direction)) {}

  Span at(const Rational& fpr) {
    const auto before = known_.find(fpr);
    if (before != known_.end()) return before->second;
    // No question may take more than half of the time that is left.
    const WorkLimit share(work_seconds_left() / 2);
    const Enclosure band = tests_.true_positive_rate(fpr).band;
    return known_.insert({fpr, {band.lower, band.upper}}).first->second;
  }

 private:
  static AnswerOptions of_direction(AnswerOptions options, DirectionChoice direction) {
    options.direction = direction;
    options.attack = false;
    options.proven = {};
    return options;
  }

  BestTests tests_;
  std::map<Rational, Span> known_;
};

/// The claim, in the directions that are asked for.
class Claimed {
 public:
  Claimed(const Composition& claim, const AnswerOptions& options) {
    const bool both = options.direction == DirectionChoice::both;
    for (const DirectionChoice one : {DirectionChoice::remove, DirectionChoice::add}) {
      if (!both && options.direction != one) continue;
      if (both && one == DirectionChoice::add && claim.symmetric()) continue;
      directions_.push_back({one, std::make_unique<ClaimedPower>(claim, options, one)});
    }
  }

  // Proof: docs/proofs/observe.md#p-value
  ObservedPValue p_value(const ErrorCounts& counts, const FromCounts& limits) {
    ObservedPValue p_value;
    std::size_t left = directions_.size();
    for (const auto& [direction, claimed] : directions_) {
      const WorkLimit share(work_seconds_left() / static_cast<double>(left--));
      const bool remove = direction == DirectionChoice::remove;
      const LocalLevel level =
          local_level(remove ? counts : counts.exchanged(), remove ? limits.fpr : limits.fnr,
                      [power = claimed.get()](const Rational& fpr) { return power->at(fpr); });
      const UnlimitedWork joining;
      const Span found = two_sided(level);
      p_value.upper = min(p_value.upper, found.upper).upper();
      const bool first = left + 1 == directions_.size();
      p_value.lower = first ? found.lower : min(p_value.lower, found.lower).lower();
      if (p_value.remark.empty()) {
        p_value.remark = level.remark;
        p_value.cause = level.cause;
      }
    }
    return p_value;
  }

 private:
  struct One {
    DirectionChoice direction;
    std::unique_ptr<ClaimedPower> power;
  };
  std::vector<One> directions_;
};

}  // namespace

ErrorCounts errors_of(const RunCounts& counts) {
  check_count("true positives", counts.true_positives, counts.with_record);
  check_count("false positives", counts.false_positives, counts.without_record);
  return {{counts.false_positives, counts.without_record},
          {counts.with_record - counts.true_positives, counts.with_record}};
}

// Proof: docs/proofs/observe.md#lower-ends
FromCounts from_counts(const ObserveQuestion& question) {
  const PrecisionScope scope(bits_from_counts);
  const Rational side = question.level / PLAUDIT_BOUND("observe.half_the_level", 2, 1);
  FromCounts found{rate_limit(question.counts.false_positives, side),
                   rate_limit(question.counts.false_negatives, side),
                   {},
                   Ball(0)};
  for (const Rational& delta : question.deltas) {
    found.epsilons.push_back(epsilon_from(found.fpr, found.fnr, delta));
  }
  found.mu = mu_from(found.fpr, found.fnr);
  return found;
}

std::string_view name_of(ObservedVerdict verdict) {
  switch (verdict) {
    case ObservedVerdict::refuted:
      return "refuted";
    case ObservedVerdict::consistent:
      return "consistent";
    default:
      return "undecided";
  }
}

// Proof: docs/proofs/observe.md#refuted
ObservedVerdict verdict_of(const ObservedPValue& p_value, const Rational& level) {
  const PrecisionScope scope(bits_from_counts);
  if (certainly_less_equal(p_value.upper, Ball(level))) return ObservedVerdict::refuted;
  if (certainly_less(Ball(level), p_value.lower)) return ObservedVerdict::consistent;
  return ObservedVerdict::undecided;
}

Observation observe(const Composition& claim, const ObserveQuestion& question,
                    const AnswerOptions& options,
                    const std::function<void(const Observation&)>& known) {
  if (question.level <= 0 || question.level >= 1) {
    throw SpecError("level: must be a number with 0 < level < 1, not " + to_string(question.level));
  }
  for (const Rational& delta : question.deltas) {
    if (delta < 0 || delta > 1) {
      throw SpecError("delta: must be a number with 0 <= delta <= 1, not " + to_string(delta));
    }
  }
  ObserveQuestion perfect = question;  // Proof: docs/proofs/observe.md#ceiling
  perfect.counts.false_positives.of = 0;
  perfect.counts.false_negatives.of = 0;
  Observation result{from_counts(question), {}, from_counts(perfect), {}};
  if (known) known(result);
  const MemoryLimit memory(options.memory_bytes);
  const WorkLimit limit(options.timeout_seconds);
  Claimed claimed(claim, options);
  {
    const WorkLimit most_of_it(0.7 * work_seconds_left());
    result.p_value = claimed.p_value(question.counts, result.found);
  }
  if (known) known(result);
  result.ceiling_p_value = claimed.p_value(perfect.counts, result.ceiling);
  return result;
}

}  // namespace plaudit
