#include "verification/observe/scores.hpp"

#include <algorithm>
#include <optional>

#include "verification/claims/csv.hpp"

namespace plaudit {

Score score_of(std::string_view text) {
  if (text == "inf" || text == "+inf") return {1, 0};
  if (text == "-inf") return {-1, 0};
  return {0, parse_rational(text)};
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

}  // namespace plaudit
