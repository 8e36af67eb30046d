// Scores of many runs against what was claimed, at all thresholds at once: the scores may choose.
// Proof: docs/proofs/observe.md#all-thresholds
#pragma once

#include "verification/observe/observation.hpp"
#include "verification/observe/scores.hpp"

namespace plaudit {

/// The counts with the least local level, their p-value, and what all thresholds together say
/// whatever was claimed; the rates are of the threshold of the greatest mu.
struct ObservationAtAll : Observation {
  ErrorCounts counts;
  std::vector<RateLimits> rates = {};  ///< at all thresholds that no other dominates, together
};

/// @throws SpecError for a level or a delta outside of its domain, no score of one kind, and more
/// than most_runs_of_all_thresholds of one kind
ObservationAtAll observe_all(const Composition& claim, const Scores& scores, const Rational& level,
                             const std::vector<Rational>& deltas, const AnswerOptions& options,
                             const std::function<void(const ObservationAtAll&)>& known = {});

}  // namespace plaudit
