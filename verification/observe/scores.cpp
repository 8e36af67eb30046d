#include "verification/observe/scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/claims/csv.hpp"
#include "verification/meaning/threshold_guess.hpp"

namespace plaudit {

Score score_of(std::string_view text) {
  if (text == "inf" || text == "+inf") return {1, 0};
  if (text == "-inf") return {-1, 0};
  return {0, parse_rational(text)};
}

Score score_of(double score) {
  if (std::isnan(score)) throw SpecError("scores: one is no number");
  if (std::isinf(score)) return {score > 0 ? 1 : -1, 0};
  return {0, checked_rational(score, "score")};
}

std::string text_of(const Score& score) {
  if (score.infinity != 0) return score.infinity > 0 ? "inf" : "-inf";
  return to_string(score.value);
}

namespace {

/// The one column of one of these names.
std::size_t column_of(const CsvRecord& header, const std::vector<std::string>& names) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const std::string name = trimmed(header.cells[i]);
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (found) {
      throw InputError(csv_place(header.line, i + 1, header.cells) + ": column " +
                       std::to_string(*found + 1) + " says the same");
    }
    found = i;
  }
  if (!found) throw InputError("CSV: the header has no column " + names.front());
  return *found;
}

}  // namespace

Scores scores_from_csv(std::string_view text) {
  const std::vector<CsvRecord> records = csv_records(text);
  if (records.empty()) throw InputError("CSV: a header line is wanted");
  const CsvRecord& header = records.front();
  const std::size_t score_column = column_of(header, {"score"});
  const std::size_t member_column = column_of(header, {"member", "label"});
  Scores scores;
  for (std::size_t i = 1; i < records.size(); ++i) {
    const CsvRecord& record = records[i];
    const auto cell = [&](std::size_t column) {
      return column < record.cells.size() ? trimmed(record.cells[column]) : std::string();
    };
    const auto fail = [&](std::size_t column, const std::string& what) {
      throw InputError(csv_place(record.line, column + 1, header.cells) + ": " + what);
    };
    if (record.cells.size() > header.cells.size()) {
      fail(header.cells.size(), "there are more cells than in the header");
    }
    const std::string member = cell(member_column);
    if (member != "0" && member != "1") {
      fail(member_column, "must be 0 (without the record) or 1 (with it), not '" + member + "'");
    }
    try {
      (member == "1" ? scores.with_record : scores.without_record)
          .push_back(score_of(cell(score_column)));
    } catch (const NumberError& error) {
      fail(score_column, error.what());
    }
  }
  return scores;
}

RunCounts counts_at(const Scores& scores, const Score& threshold) {
  const auto reaching = [&](const std::vector<Score>& group) {
    return static_cast<std::uint64_t>(std::count_if(
        group.begin(), group.end(), [&](const Score& score) { return score >= threshold; }));
  };
  return {reaching(scores.with_record), scores.with_record.size(), reaching(scores.without_record),
          scores.without_record.size()};
}

std::vector<Score> shuffled(std::vector<Score> scores, std::mt19937_64& generator) {
  for (std::uint64_t left = scores.size(); left > 1; --left) {
    // The first 2^64 mod `left` numbers are refused: of the rest all remainders are as frequent.
    const std::uint64_t refused = (0 - left) % left;
    std::uint64_t drawn = generator();
    while (drawn < refused) drawn = generator();
    std::swap(scores[left - 1], scores[drawn % left]);
  }
  return scores;
}

namespace {

/// About the normal score of an upper limit of the rate (Wilson's), in floating point.
double score_of_limit(std::uint64_t of, std::size_t trials, double z) {
  const double k = static_cast<double>(of);
  const double n = static_cast<double>(trials);
  const double limit = (k + z * z / 2 + z * std::sqrt(k * (1 - k / n) + z * z / 4)) / (n + z * z);
  return normal_score(std::log(limit));
}

/// A choice: nothing here enters a bound.
Score threshold_for(const Scores& scores, const Rational& level) {
  std::vector<Score> with_record = scores.with_record;
  std::vector<Score> without_record = scores.without_record;
  std::sort(with_record.begin(), with_record.end());
  std::sort(without_record.begin(), without_record.end());
  const double z = normal_score(estimate_log(level / 2));
  const auto below = [](const std::vector<Score>& sorted, const Score& at) {
    return static_cast<std::uint64_t>(std::lower_bound(sorted.begin(), sorted.end(), at) -
                                      sorted.begin());
  };
  Score best = with_record.front();
  double most = -std::numeric_limits<double>::infinity();
  for (const Score& threshold : with_record) {
    const double mu = score_of_limit(below(with_record, threshold), with_record.size(), z) +
                      score_of_limit(without_record.size() - below(without_record, threshold),
                                     without_record.size(), z);
    if (mu > most) {
      most = mu;
      best = threshold;
    }
  }
  return best;
}

}  // namespace

// Proof: docs/proofs/observe.md#split
SplitCounts split_counts(const Scores& scores, std::uint64_t seed, const Rational& level) {
  if (scores.with_record.size() < 2 || scores.without_record.size() < 2) {
    throw SpecError("scores: must be of at least two runs with the record and two without it");
  }
  std::mt19937_64 generator(seed);
  Scores chosen;
  Scores counted;
  for (const auto member : {&Scores::with_record, &Scores::without_record}) {
    const std::vector<Score> mixed = shuffled(scores.*member, generator);
    const auto half = mixed.begin() + static_cast<std::ptrdiff_t>(mixed.size() / 2);
    (chosen.*member).assign(mixed.begin(), half);
    (counted.*member).assign(PLAUDIT_BOUND("observe.other_half", half, mixed.begin()), mixed.end());
  }
  const Score threshold = threshold_for(chosen, level);
  return {threshold, counts_at(counted, threshold)};
}

}  // namespace plaudit
