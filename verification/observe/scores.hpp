// Scores of a test in many runs, read as exact numbers.
#pragma once

#include <compare>
#include <random>
#include <string_view>
#include <vector>

#include "verification/observe/observation.hpp"

namespace plaudit {

/// An exact number, or an infinity.
struct Score {
  int infinity = 0;  ///< -1 or 1 where it is one
  Rational value = 0;

  friend std::strong_ordering operator<=>(const Score& a, const Score& b) {
    return a.infinity != b.infinity ? a.infinity <=> b.infinity : a.value <=> b.value;
  }
  friend bool operator==(const Score& a, const Score& b) = default;
};

/// A number of the spec language, inf or -inf. @throws NumberError, for nan too
Score score_of(std::string_view text);
/// The double itself. @throws SpecError for a NaN
Score score_of(double score);
/// The text that score_of reads back.
std::string text_of(const Score& score);

struct Scores {
  std::vector<Score> with_record;
  std::vector<Score> without_record;
};

/// CSV of a line for each run: the columns `score` and `member`, or `label`, which is 1 where the
/// record was there and 0 where it was not. Other columns are not read.
/// @throws InputError that names line and column
Scores scores_from_csv(std::string_view text);

/// The same of numpy's .npz, not compressed: arrays `in` and `out`, or `scores` and `members`,
/// which are 1 or 0. @throws InputError
Scores scores_from_npz(std::string_view bytes);

/// The counts of the test that says that the record is there where the score is at least this.
RunCounts counts_at(const Scores& scores, const Score& threshold);

struct SplitCounts {
  Score threshold;   ///< chosen by one half of the runs of each kind
  RunCounts counts;  ///< of the others, at it
};

/// The same scores in an order that the generator draws, each equally probable (Fisher and Yates).
std::vector<Score> shuffled(std::vector<Score> scores, std::mt19937_64& generator);

/// Halves that the seed alone decides. The threshold is one of the first half's scores with the
/// record, of the greatest mu that its counts seem to show at the level.
/// Proof: docs/proofs/observe.md#split
/// @throws SpecError: fewer than two runs of one kind
SplitCounts split_counts(const Scores& scores, std::uint64_t seed, const Rational& level);

}  // namespace plaudit
