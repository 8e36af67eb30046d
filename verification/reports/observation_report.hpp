// What was observed against what was claimed, as JSON: what `plaudit observe --json` prints, and
// what its text is made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verification/observe/observation.hpp"
#include "verification/reports/json_text.hpp"

namespace plaudit {

struct ObservedRun {
  std::string spec;  ///< canonical
  Adjacency adjacency;
  std::string bound = {};  ///< ImportedSpec::bound
  RunCounts counts;
  /// Where one half of the runs chose the threshold for the other, which is counted.
  struct Split {
    std::string threshold;
    std::uint64_t seed;
  };
  std::optional<Split> split = {};
};

/// What the verdict rests on and no computation can check, in words.
std::vector<std::string> observation_assumptions(const Adjacency& adjacency, bool split = false);

Json json_report(const ObservedRun& run, const ObserveQuestion& question,
                 const Observation& observation, int digits);

}  // namespace plaudit
