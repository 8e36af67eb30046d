// What was observed in runs against what was claimed of them.
//
//   plaudit::ObservedRuns seen = plaudit::observe_counts(run, {312, 1000, 3, 1000});
//   if (seen.verdict == "refuted") ...
//
// In many runs a test said, run by run, whether the record is there
// (docs/proofs/observe.md#refuted). Of one run it was guessed which of its canaries are in
// (docs/proofs/one_run.md#refuted).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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
    Real mu_lower;                    ///< of the mu for which it is mu-GDP
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
  TestedRuns runs;                       ///< that were counted: certify_observation takes them
  bool at_all_thresholds = false;        ///< of which no certificate is made
  /// Limits of both rates, as fractions, that hold together; at all thresholds one for each.
  std::vector<std::pair<std::string, std::string>> rates;
};

/// @param level the most a false alarm may be probable, in (0, 1)
/// @param deltas at which lower ends of epsilon are wanted, in [0, 1]
/// @param options the digits are those of the claimed rates; the accountant must be auto
ObservedRuns observe_counts(const Composition& claim, const TestedRuns& runs,
                            const Number& level = "1e-6",
                            const std::vector<Number>& deltas = {"0", "1e-5"},
                            const Options& options = {.digits = 10});

/// Scores of a test, of independent runs or of canaries. They are only compared; none is a NaN.
struct TestScores {
  std::vector<double> with_record;
  std::vector<double> without_record;
};

/// The same of scores. @param threshold the test says that the record is there where the score is
/// at least this, fixed before; nothing: all thresholds at once, of at most 5000 runs of each kind
ObservedRuns observe_scores(const Composition& claim, const TestScores& scores,
                            const std::optional<Number>& threshold, const Number& level = "1e-6",
                            const std::vector<Number>& deltas = {"0", "1e-5"},
                            const Options& options = {.digits = 10});
/// The same where one half of the runs chooses the threshold for the other.
ObservedRuns observe_split(const Composition& claim, const TestScores& scores, std::uint64_t seed,
                           const Number& level = "1e-6",
                           const std::vector<Number>& deltas = {"0", "1e-5"},
                           const Options& options = {.digits = 10});

/// Of so many coins of one run so many were guessed, so many rightly.
struct GuessedCoins {
  std::uint64_t right = 0;
  std::uint64_t guessed = 0;
  std::uint64_t canaries = 0;
  bool kinds_fixed = false;  ///< how many say in, and how many out, was fixed before
};

/// The greatest `in` scores guessed to be in, the least `out` to be out; of equal ones the wrong
/// ones first.
GuessedCoins guess_by_scores(const TestScores& scores, std::uint64_t in, std::uint64_t out);
/// In pairs of a member and another canary, drawn by the seed; all pairs, or those of the greatest
/// differences.
GuessedCoins guess_in_pairs(const TestScores& scores, std::uint64_t seed,
                            std::optional<std::uint64_t> guessed = {});

struct ObservedGuesses {
  struct Numbers {
    Real p_value_upper;
    std::vector<Real> epsilon_lower;  ///< at each delta; with mu all together at the level
    Real mu_lower;
  };

  std::string verdict;  ///< refuted or consistent
  Numbers found;
  Numbers ceiling;  ///< of as many guesses, all right
  /// No test by so many right guesses, of whatever kinds, has a smaller p-value; 0: not known.
  Real no_test_below;
  /// Of the curve of which the p-value is made, exact numbers: one line, whose cap is 0, or
  /// several.
  struct Line {
    std::string lambda;
    std::string delta;
    std::string cap;
  };
  std::vector<Line> lines;
  std::string least;  ///< of several lines: what is added to the sum over them
  std::vector<std::string> assumptions;
  std::string remark;
};

struct GuessesDesign {
  bool pairs = false;            ///< coins are the orders of pairs of canaries
  std::string guessed = "both";  ///< both, or all guesses say in, or all say out
  bool independent = false;      ///< each canary's output depends on its own coin alone
};

/// @param guesses several share the level
ObservedGuesses observe_guesses(const Composition& claim, const std::vector<GuessedCoins>& guesses,
                                const GuessesDesign& design, const Number& level = "1e-6",
                                const std::vector<Number>& deltas = {"0", "1e-5"},
                                const Options& options = {.digits = 10});

struct ObservationCertificate {
  std::string text;    ///< JSON, for `plaudit check`
  std::string remark;  ///< why there are lower ends alone and no refutation, where that is so
};

/// What is proven of counts, for both checkers (docs/certificates/observation.md).
/// @throws std::runtime_error where that is nothing, or more than exact sums are made of
ObservationCertificate certify_observation(const Composition& claim, const TestedRuns& runs,
                                           const Number& level = "1e-6",
                                           const std::vector<Number>& deltas = {"0", "1e-5"},
                                           const Options& options = {.digits = 10});
ObservationCertificate certify_observation(const Composition& claim,
                                           const std::vector<GuessedCoins>& guesses,
                                           const GuessesDesign& design,
                                           const Number& level = "1e-6",
                                           const std::vector<Number>& deltas = {"0", "1e-5"},
                                           const Options& options = {.digits = 10});

/// The limits of rates (ObservedRuns::rates) against what the claim allows, as SVG.
/// @throws std::invalid_argument for a width that is not within [320, 4000]
std::string observed_svg(const Composition& claim, const ObservedRuns& seen,
                         const Number& level = "1e-6", double width = 800,
                         const Options& options = {.digits = 6});

}  // namespace v0
}  // namespace plaudit
