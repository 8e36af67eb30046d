#include "verification/claims/claim_fields.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "lib/text.hpp"
#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

/// Every field of a claim. `notes` is for whoever writes the file; nothing reads it.
const std::vector<std::string_view>& field_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = {
        "id",          "source",        "notes",       "spec",      "history",
        "event",       "kind",          "quantity",    "direction", "epsilon",
        "delta",       "epsilon_lower", "delta_lower", "tolerance", "epsilon_upper",
        "delta_upper", "prv",           "pld",         "renyi",     "order",
        "renyi_lower", "renyi_upper",   "mu",          "parameter", "relative_tolerance",
        "about"};
    for (const Parameter& parameter : shorthand_named("dpsgd")->parameters) {
      all.push_back(parameter.name);
      all.insert(all.end(), parameter.aliases.begin(), parameter.aliases.end());
    }
    return all;
  }();
  return names;
}

}  // namespace

bool known_field(const std::string& name) {
  return std::find(field_names().begin(), field_names().end(), name) != field_names().end();
}

std::string field_of_header(const std::string& cell) {
  std::string name = lower_case(cell);
  std::replace(name.begin(), name.end(), ' ', '_');
  std::replace(name.begin(), name.end(), '-', '_');
  return known_field(name) ? name : cell;
}

std::string unknown_field(const std::string& name) {
  return "unknown field " + abbreviated(name) + did_you_mean(name, field_names());
}

void check_fields(const Json& fields) {
  for (const auto& item : fields.items()) {
    if (!known_field(item.key())) throw InputError(unknown_field(item.key()));
  }
}

}  // namespace plaudit
