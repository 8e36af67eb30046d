// How likely an experiment refutes a claim where something else was run, and how large it has to
// be: what to plan by. In floating point, of certified values; no verdict uses it.
// Proof: docs/proofs/observe.md#power
#pragma once

#include <optional>
#include <vector>

#include "accountants/session/answer.hpp"
#include "mechanisms/composition.hpp"
#include "verification/observe/one_run_claim.hpp"

namespace plaudit {

struct RunsPower {
  double power = 0;  ///< the probability of `refuted`
  double fpr = 0;    ///< the false positive rate of the threshold that seems best
};

/// Many runs at a threshold fixed before, with the best test of the alternative.
class PlanOfRuns {
 public:
  /// Asks for the best tests of both, of which it keeps some values and what lies between them.
  PlanOfRuns(const Composition& claim, const Composition& alternative, const Rational& level,
             const AnswerOptions& options);

  RunsPower power(std::uint64_t without_record, std::uint64_t with_record) const;
  /// The least number of runs of each kind with about this power; nothing up to most_observed_runs.
  std::optional<std::uint64_t> runs_for(double power) const;
  /// The least mu with which so many runs of a mu-GDP pair refute the claim with this power.
  double detectable_mu(std::uint64_t without_record, std::uint64_t with_record, double power) const;

 private:
  /// Errors of the best tests: normal scores of the least FNR at those of the FPR, interpolated.
  struct Tests {
    std::vector<double> at;
    std::vector<double> value;
    double fnr_score(double fpr_score) const;
  };
  static Tests ask(const Composition& composition, const AnswerOptions& options);
  double power_at(double fpr_score, double fnr_score, std::uint64_t n, std::uint64_t m) const;
  RunsPower best(const Tests& tests, std::uint64_t n, std::uint64_t m) const;

  double level_;
  Tests claim_;
  Tests alternative_;
};

/// One run whose canaries are all guessed; of the alternative they are taken to be independent.
class PlanOfCanaries {
 public:
  PlanOfCanaries(const Composition& claim, const Composition& alternative, const Rational& level,
                 bool independent, const AnswerOptions& options);

  double power(std::uint64_t canaries) const;
  /// The least number of canaries with about this power; nothing up to most_canaries.
  std::optional<std::uint64_t> canaries_for(double power) const;
  /// The least expected share of right guesses with which the claim is refuted with this power.
  double detectable_share(std::uint64_t canaries, double power) const;

 private:
  std::uint64_t least_refuting(std::uint64_t canaries) const;

  double level_;
  bool independent_;
  std::vector<std::pair<double, double>> lines_;  ///< log lambda and delta of the claim
  double claimed_right_;                          ///< share of right guesses, of independent ones
  double right_;                                  ///< the same of the alternative
};

}  // namespace plaudit
