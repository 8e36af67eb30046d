// Claims as CSV: each is read or refused with one line; cells that are written again, in quotes,
// are the same cells.
#include "tests/fuzz/claims.hpp"
#include "verification/claims/csv.hpp"

using namespace plaudit;

namespace {

std::string in_quotes(const std::string& cell) {
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

void demand_same_again(const std::vector<CsvRecord>& records) {
  std::string text;
  for (const CsvRecord& record : records) {
    for (std::size_t k = 0; k < record.cells.size(); ++k) {
      text += (k == 0 ? "" : ",") + in_quotes(record.cells[k]);
    }
    text += "\r\n";
  }
  const std::vector<CsvRecord> again = csv_records(text);
  fuzz::demand(again.size() == records.size(), "a record more or less");
  for (std::size_t i = 0; i < records.size(); ++i) {
    fuzz::demand(again[i].cells == records[i].cells, "other cells");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::forbid_files();
  try {
    demand_same_again(csv_records(text));
    fuzz::demand_sound(claims_from_csv(text));
  } catch (const InputError& error) {
    fuzz::demand_message(error.what());
  }
  return 0;
}
