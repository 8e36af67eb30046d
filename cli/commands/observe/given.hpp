// What `plaudit observe` was given: counts, scores, guesses.
#pragma once

#include "cli/options.hpp"
#include "verification/observe/one_run.hpp"
#include "verification/observe/sequence.hpp"
#include "verification/reports/one_run_report.hpp"

namespace plaudit::cli {

struct ObserveOptions : Options {
  std::string design;
  std::string counts;
  std::string scores;
  std::string threshold;
  std::string guesses;
  std::string guessed = "both";
  std::string pairing;
  bool independent = false;
  std::string line;
  std::string stake;
  std::string level = "1e-6";
  std::string deltas = "0,1e-5";
  std::string alternative;
  std::string plan;
  std::string svg;
};

std::vector<std::string> split_at(const std::string& text, char mark);

/// Counts at one threshold, or the scores where all thresholds are looked at.
struct GivenRuns {
  RunCounts counts;
  ObservedThreshold threshold;
  std::optional<Scores> scores;  ///< where all thresholds are looked at
};
GivenRuns read_runs(const ObserveOptions& options, const Rational& level);

struct GivenGuesses {
  std::vector<Guesses> guesses;
  GuessedAs as = GuessedAs::both;
  std::optional<std::uint64_t> pairing = {};  ///< the seed, of pairs by scores
};
GivenGuesses read_guesses(const ObserveOptions& options);

GuessedSequence read_sequence(const ObserveOptions& options);

}  // namespace plaudit::cli
