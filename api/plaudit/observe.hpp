// What was observed in many runs against what was claimed of them.
//
//   plaudit::ObservedRuns seen = plaudit::observe_counts(run, {312, 1000, 3, 1000}, "1e-6",
//   {"1e-5"}); if (seen.verdict == "refuted") ...
//
// A test said, run by run, whether the record is there; its threshold was fixed before.
// Proof: docs/proofs/observe.md#refuted
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

/// Of independent runs of each kind, in how many the test said that the record is there.
struct TestedRuns {
  std::uint64_t true_positives = 0;
  std::uint64_t with_record = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t without_record = 0;
};

struct ObservedRuns {
  /// What holds whatever was claimed, all of it together but for a probability of the level.
  struct Limits {
    Real fpr_upper;                   ///< of the false positive rate of the test
    Real tpr_lower;                   ///< of its true positive rate
    std::vector<Real> epsilon_lower;  ///< of the epsilon of the run at each delta
    Real mu_lower;                    ///< of its mu
  };

  std::string verdict;  ///< refuted, consistent or undecided
  Real p_value_lower;   ///< a band of the p-value of the claim
  Real p_value_upper;
  Limits limits;
  Real ceiling_p_value_lower;  ///< the same for as many runs without an error of the test
  Real ceiling_p_value_upper;
  Limits ceiling;
  std::vector<std::string> assumptions;  ///< that no computation can check, in words
  std::string remark;                    ///< why the band of the p-value is wide, where it is
};

/// @param level the most a false alarm may be probable, in (0, 1)
/// @param deltas at which lower ends of epsilon are wanted, in [0, 1]
/// @param options the digits are those of the claimed rates; the accountant must be auto
ObservedRuns observe_counts(const Composition& claim, const TestedRuns& runs,
                            const Number& level = "1e-6",
                            const std::vector<Number>& deltas = {"0", "1e-5"},
                            const Options& options = {.digits = 10});

}  // namespace v0
}  // namespace plaudit
