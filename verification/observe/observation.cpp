#include "verification/observe/observation.hpp"

#include "lib/analysis/normal/normal_quantile.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/observe/claimed.hpp"

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

ObservedPValue p_value_of(const LocalLevel& level) {
  const Span found = two_sided(level);
  return {found.lower, found.upper, level.remark, level.cause};
}

}  // namespace

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

ErrorCounts errors_of(const RunCounts& counts) {
  check_count("true positives", counts.true_positives, counts.with_record);
  check_count("false positives", counts.false_positives, counts.without_record);
  return {{counts.false_positives, counts.without_record},
          {counts.with_record - counts.true_positives, counts.with_record}};
}

void check_levels(const Rational& level, const std::vector<Rational>& deltas) {
  if (level <= 0 || level >= 1) {
    throw SpecError("level: must be a number with 0 < level < 1, not " + to_string(level));
  }
  for (const Rational& delta : deltas) {
    if (delta < 0 || delta > 1) {
      throw SpecError("delta: must be a number with 0 <= delta <= 1, not " + to_string(delta));
    }
  }
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
  check_levels(question.level, question.deltas);
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
    result.p_value = p_value_of(claimed.level(question.counts, result.found.fpr, result.found.fnr));
  }
  if (known) known(result);
  result.ceiling_p_value =
      p_value_of(claimed.level(perfect.counts, result.ceiling.fpr, result.ceiling.fnr));
  return result;
}

}  // namespace plaudit
