// Claims from CSV: the columns have the names of the fields; no cell and no column is dropped.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "verification/claims/claim_fields.hpp"
#include "verification/claims/claims.hpp"
#include "verification/claims/csv.hpp"

namespace plaudit {

std::vector<ClaimEntry> entries_from_csv(std::string_view text) {
  const std::vector<CsvRecord> records = csv_records(text);
  if (records.empty()) throw InputError("CSV: a header line is wanted");
  const std::vector<std::string>& header = records[0].cells;
  std::vector<std::string> names;
  for (const std::string& cell : header) {
    const std::string name = field_of_header(trimmed(cell));
    const auto fail = [&](const std::string& what) {
      throw InputError(csv_place(records[0].line, names.size() + 1, header) + ": the header " +
                       what);
    };
    if (!name.empty() && !known_field(name)) fail("has an " + unknown_field(name));
    const auto same = std::find(names.begin(), names.end(), name);
    if (!name.empty() && same != names.end()) {
      fail("has this name in column " + std::to_string(same - names.begin() + 1) + " too");
    }
    names.push_back(name);
  }
  std::vector<Json> list;
  std::vector<std::string> errors;
  for (std::size_t i = 1; i < records.size(); ++i) {
    Json fields = Json::object();
    std::string error;
    for (std::size_t k = 0; k < records[i].cells.size() && error.empty(); ++k) {
      std::string cell = trimmed(records[i].cells[k]);
      const auto place = [&] { return csv_place(records[i].line, k + 1, header) + ": "; };
      if (k >= names.size()) {
        error = place() + "there are more cells than in the header";
      } else if (!cell.empty() && names[k].empty()) {
        error = place() + "the header has no name for it";
      } else if (!cell.empty()) {
        fields[names[k]] = std::move(cell);
      }
    }
    list.push_back(std::move(fields));
    errors.push_back(std::move(error));
  }
  return claim_entries(std::move(list), errors);
}

}  // namespace plaudit
