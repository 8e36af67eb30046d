// What was observed against what was claimed: a test was tried in many runs, without and with the
// record, at a threshold that was fixed before; its counts are held to the whole privacy curve of
// the claimed run.
// Proof: docs/proofs/observe.md#refuted
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "accountants/session/answer.hpp"
#include "mechanisms/composition.hpp"
#include "verification/observe/against_curve.hpp"

namespace plaudit {

/// The most runs of each kind.
inline constexpr std::uint64_t most_observed_runs = 10'000'000;

/// Of independent runs of each kind, in how many the test said that the record is there.
struct RunCounts {
  std::uint64_t true_positives = 0;
  std::uint64_t with_record = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t without_record = 0;
};

/// The errors that they are. @throws SpecError: no run of one kind, more than most_observed_runs,
/// or more positives than runs
ErrorCounts errors_of(const RunCounts& counts);

struct ObserveQuestion {
  ErrorCounts counts;
  Rational level;                ///< the most a false alarm may be probable, in (0, 1)
  std::vector<Rational> deltas;  ///< in [0, 1]
};

/// What holds of the run that was observed, whatever was claimed: all of it together, with a
/// probability of at least 1 - level.
struct FromCounts {
  Rational fpr;                ///< the false positive rate is at most this
  Rational fnr;                ///< the false negative rate is at most this
  std::vector<Ball> epsilons;  ///< at each delta, the run has no smaller epsilon
  Ball mu;                     ///< nor a smaller mu
};

FromCounts from_counts(const ObserveQuestion& question);

/// Limits of both rates at one threshold.
struct RateLimits {
  Rational fpr;
  Rational fnr;
};

/// Lower ends from the rates that are at most these.
Ball epsilon_from(const Rational& fpr, const Rational& fnr, const Rational& delta);
Ball mu_from(const Rational& fpr, const Rational& fnr);

/// @throws SpecError for a level or a delta outside of its domain
void check_levels(const Rational& level, const std::vector<Rational>& deltas);

enum class ObservedVerdict {
  refuted,     ///< the p-value is at most the level
  consistent,  ///< it is above the level: this says nothing for the claim
  undecided,   ///< the band of the p-value has the level in it
};

std::string_view name_of(ObservedVerdict verdict);

/// A band of the p-value of the claimed pair of laws: were the claim true, so small a p-value would
/// have at most its own size as probability.
struct ObservedPValue {
  Ball lower{0};
  Ball upper{1};
  std::string remark = {};
  Cause cause = Cause::none;
};

ObservedVerdict verdict_of(const ObservedPValue& p_value, const Rational& level);

struct Observation {
  FromCounts found;
  ObservedPValue p_value;
  /// The same for as many runs in which the test made no error: more no outcome can show.
  FromCounts ceiling;
  ObservedPValue ceiling_p_value;
};

/// @param options the digits are those of the claimed rates; its time is for all of it.
/// @param known hears of what is known each time that it is more.
/// @throws SpecError for a level or a delta outside of its domain
Observation observe(const Composition& claim, const ObserveQuestion& question,
                    const AnswerOptions& options,
                    const std::function<void(const Observation&)>& known = {});

}  // namespace plaudit
