#include "verification/claims/importers.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "mechanisms/spec_error.hpp"
#include "verification/claims/dp_events.hpp"
#include "verification/claims/event_fields.hpp"

namespace plaudit {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// The history of a state_dict(), whose other entry says which accountant wrote it.
const Json& history_of(const Json& state) {
  for (const auto& item : state.items()) {
    if (item.key() != "history" && item.key() != "mechanism") {
      throw InputError("an Opacus state has no field " + abbreviated(item.key()));
    }
  }
  const auto place = state.find("history");
  if (place == state.end()) throw InputError("an Opacus state needs its history");
  return *place;
}

}  // namespace

ImportedSpec opacus_spec(const Json& run) {
  const Json& history = run.is_object() ? history_of(run) : run;
  if (!history.is_array()) throw InputError("an Opacus history must be a list");
  std::vector<std::string> factors;
  for (const Json& step : history) {
    if (!step.is_array() || step.size() != 3) {
      throw InputError("an Opacus history has entries [noise_multiplier, sample_rate, steps]");
    }
    const std::string noise_multiplier = number_text(step[0], "history: noise_multiplier");
    const std::string sample_rate = number_text(step[1], "history: sample_rate");
    const std::string steps = number_text(step[2], "history: steps");
    if (steps == "0") continue;
    std::string factor = "poisson(gaussian(sigma=";
    factor.append(noise_multiplier).append("), rate=").append(sample_rate);
    factors.push_back(std::move(factor.append(")^").append(steps)));
  }
  return {product_of(factors), ""};
}

ImportedSpec imported_spec(const Json& run) {
  const bool named = run.is_array() && !run.empty() && run[0].is_string();
  if (named) return dp_event_spec(run);
  if (run.is_array() || (run.is_object() && run.contains("history"))) return opacus_spec(run);
  return dp_event_spec(run);
}

ImportedSpec spec_of_text(std::string_view text) {
  if (text.substr(0, byte_order_mark.size()) == byte_order_mark) {
    text.remove_prefix(byte_order_mark.size());
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json =
      first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  if (is_json) return imported_spec(parse_exact_json(text));
  return {std::string(text), ""};
}

}  // namespace plaudit
