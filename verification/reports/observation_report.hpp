// What was observed against what was claimed, as JSON: what `plaudit observe --json` prints, and
// what its text is made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verification/observe/observation.hpp"
#include "verification/reports/json_text.hpp"

namespace plaudit {

/// The claim, as reports name it.
struct ClaimedSpec {
  std::string spec;  ///< canonical
  Adjacency adjacency;
  std::string bound = {};  ///< ImportedSpec::bound
};

/// How the threshold of many runs came about.
struct ObservedThreshold {
  enum class Kind { fixed, split, all } kind = Kind::fixed;
  std::string value = {};  ///< of a split: what the other half chose
  std::uint64_t seed = 0;
};

/// What the verdict rests on and no computation can check, in words.
std::vector<std::string> observation_assumptions(
    const Adjacency& adjacency, ObservedThreshold::Kind kind = ObservedThreshold::Kind::fixed);
/// What with and without the record, or one record in place of another, has to mean.
std::string words_of_neighbours(const Adjacency& adjacency);

/// Begins a report: the claim, the design, the level.
Json observation_head(const ClaimedSpec& claim, const std::string& design, const Rational& level,
                      int digits);

Json json_report(const ClaimedSpec& claim, const RunCounts& counts,
                 const ObservedThreshold& threshold, const ObserveQuestion& question,
                 const Observation& observation, int digits);

}  // namespace plaudit
