#include "verification/claims/claim_fields.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "mechanisms/language/spec_error.hpp"

namespace plaudit {

namespace {

/// Every field of a claim. `notes` is for whoever writes the file; nothing reads it.
constexpr const char* field_names[] = {
    "id",          "source",        "notes",       "spec",      "history",
    "event",       "kind",          "quantity",    "direction", "epsilon",
    "delta",       "epsilon_lower", "delta_lower", "tolerance", "epsilon_upper",
    "delta_upper", "prv",           "pld",         "renyi",     "order",
    "renyi_lower", "renyi_upper",   "mu",          "parameter", "relative_tolerance"};

/// Least number of characters to insert, remove or change.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, corner + 1});
    }
  }
  return row.back();
}

}  // namespace

bool known_field(const std::string& name) {
  return std::find(std::begin(field_names), std::end(field_names), name) != std::end(field_names);
}

std::string unknown_field(const std::string& name) {
  std::string text = "unknown field " + abbreviated(name);
  if (name.size() > 40) return text;
  for (const char* known : field_names) {
    if (distance(name, known) <= 2) return text + " (is " + known + " meant?)";
  }
  return text;
}

void check_fields(const Json& fields) {
  for (const auto& item : fields.items()) {
    if (!known_field(item.key())) throw InputError(unknown_field(item.key()));
  }
}

}  // namespace plaudit
