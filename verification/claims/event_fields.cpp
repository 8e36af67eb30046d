#include "verification/claims/event_fields.hpp"

#include <nlohmann/json.hpp>

#include "mechanisms/spec_error.hpp"

namespace plaudit {

std::string number_text(const Json& value, const std::string& what) {
  const bool plain = value.is_string() && !value.get_ref<const std::string&>().empty() &&
                     value.get_ref<const std::string&>().find_first_not_of("0123456789+-.eE/") ==
                         std::string::npos;
  if (!plain) throw InputError(what + " must be a number");
  return value.get<std::string>();
}

std::string field(const Json& event, const std::string& type, const char* name) {
  const auto place = event.find(name);
  if (place == event.end()) throw InputError(type + ": " + name + " is missing");
  return number_text(*place, type + ": " + name);
}

Rational number_field(const Json& event, const std::string& type, const char* name) {
  const std::string text = field(event, type, name);
  try {
    Rational value = parse_rational(text);
    if (is_moderate(to_string(value))) return value;
  } catch (const NumberError&) {
  }
  throw InputError(type + ": " + name + " must be a number of moderate size, not " +
                   abbreviated(text));
}

std::string list_field(const Json& event, const std::string& type, const char* name) {
  const auto place = event.find(name);
  if (place == event.end() || !place->is_array() || place->empty()) {
    throw InputError(type + ": " + name + " must be a list of numbers");
  }
  std::string text;
  for (const Json& each : *place) {
    text += (text.empty() ? "" : ", ") + number_text(each, type + ": " + name);
  }
  return "[" + text + "]";
}

std::string product_of(const std::vector<std::string>& factors) {
  if (factors.empty()) throw InputError("nothing was run: there is no guarantee to audit");
  std::string spec;
  for (const std::string& factor : factors) spec += (spec.empty() ? "" : " * ") + factor;
  return spec;
}

}  // namespace plaudit
