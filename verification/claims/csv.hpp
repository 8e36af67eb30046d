// CSV as RFC 4180 has it, with nothing dropped: what is not CSV is refused by line and column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verification/claims/exact_json.hpp"

namespace plaudit {

struct CsvRecord {
  std::size_t line = 0;  ///< of the text where it starts, from 1
  std::vector<std::string> cells;
};

/// "CSV: line 2, column 3 (name)": the name is that of the header's cell, where it has one.
std::string csv_place(std::size_t line, std::size_t column, const std::vector<std::string>& header);

/// The records that are not blank, the header first; cells are separated by what the header line
/// has most of: commas, semicolons or tabs. A quote within a quoted cell is doubled.
/// @throws InputError: a quote that is not closed, text around a quoted cell, a carriage return
/// that does not end a line, a record of over 1000 cells. One with more cells than the header is
/// for its reader to refuse.
std::vector<CsvRecord> csv_records(std::string_view text);

/// Without the blanks around it.
std::string trimmed(const std::string& text);

}  // namespace plaudit
