#include "verification/requests/request.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "lib/exact/checked_integer.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr int most_digits_of_requests = 10'000;
constexpr double least_seconds = 0.001;
constexpr std::array known_fields{
    "id",        "spec",       "epsilon",          "delta", "fpr", "target_epsilon", "target_delta",
    "target_mu", "target_tpr", "target_advantage", "from",  "to",  "digits",         "accountant",
    "direction", "timeout"};

/// The fields of one request, by name.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json) {
    if (!json.is_object()) throw InputError("request: must be a JSON object");
    for (const auto& [name, value] : json.items()) {
      if (std::find(known_fields.begin(), known_fields.end(), name) == known_fields.end()) {
        throw InputError("request: unknown field " + abbreviated(name));
      }
    }
  }

  /// Null counts as absent.
  bool has(const char* name) const {
    const auto place = json_.find(name);
    return place != json_.end() && !place->is_null();
  }
  std::string text(const char* name) const {
    if (!has(name)) throw InputError(std::string(name) + ": is missing");
    const Json& value = json_.at(name);
    if (!value.is_string()) throw InputError(std::string(name) + ": must be a text or a number");
    return value.get<std::string>();
  }
  Rational number(const char* name) const { return syntax::parse_number(text(name), name); }
  std::optional<Rational> optional_number(const char* name) const {
    return has(name) ? std::optional(number(name)) : std::nullopt;
  }

 private:
  const Json& json_;
};

Rational probability(const Fields& fields, const char* name) {
  Rational value = fields.number(name);
  if (value < 0 || value > 1) throw InputError(std::string(name) + ": must lie in [0, 1]");
  return value;
}

/// A target of tests, where one is given.
std::optional<TestTarget> read_tests(const Fields& fields) {
  struct Name {
    const char* field;
    TestTarget::Kind kind;
  };
  std::optional<TestTarget> found;
  for (const Name& name : {Name{"target_mu", TestTarget::Kind::mu},
                           Name{"target_advantage", TestTarget::Kind::advantage},
                           Name{"target_tpr", TestTarget::Kind::true_positive_rate}}) {
    if (!fields.has(name.field)) continue;
    if (found) throw InputError("request: several targets are given");
    found = TestTarget{name.kind, fields.number(name.field)};
  }
  const bool rate = found && found->kind == TestTarget::Kind::true_positive_rate;
  if (fields.has("fpr") != rate) throw InputError("fpr: goes with target_tpr, and it with fpr");
  if (rate) found->fpr = fields.number("fpr");
  if (!found) return found;
  for (const char* other : {"target_epsilon", "target_delta", "epsilon", "delta"}) {
    if (fields.has(other)) {
      throw InputError(std::string(other) + ": means nothing beside a target of tests");
    }
  }
  return found;
}

void read_curve_question(const Fields& fields, Request& request) {
  const bool by_epsilon = fields.has("target_epsilon");
  const bool by_delta = fields.has("target_delta");
  if (by_epsilon && by_delta) {
    throw InputError("request: target_epsilon and target_delta are both given");
  }
  const bool given_delta = fields.has("delta");
  const bool given_epsilon = fields.has("epsilon");
  const bool asks_epsilon = by_epsilon || (!by_delta && given_delta);
  if (asks_epsilon ? !given_delta || given_epsilon : !given_epsilon || given_delta) {
    throw InputError(
        "request: needs delta or epsilon (or target_epsilon and delta, or target_delta and "
        "epsilon)");
  }
  request.quantity = asks_epsilon ? Quantity::epsilon : Quantity::delta;
  request.argument = asks_epsilon ? probability(fields, "delta") : fields.number("epsilon");
  if (by_epsilon) {
    request.target = fields.number("target_epsilon");
    if (*request.target < 0) throw InputError("target_epsilon: must be >= 0");
  }
  if (by_delta) request.target = probability(fields, "target_delta");
}

void read_question(const Fields& fields, Request& request) {
  request.tests = read_tests(fields);
  if (!request.tests) read_curve_question(fields, request);
  request.from = fields.optional_number("from");
  request.to = fields.optional_number("to");
  if ((request.from || request.to) && !request.target && !request.tests) {
    throw InputError("from, to: mean nothing without a target");
  }
}

void read_options(const Fields& fields, AnswerOptions& options) {
  if (fields.has("digits")) {
    const Rational digits = fields.number("digits");
    if (digits < 1 || digits > most_digits_of_requests || denominator(digits) != 1) {
      throw InputError("digits: must be an integer from 1 to 10000");
    }
    options.digits = numerator(digits).to<int>();
    options.digits_asked = DigitsAsked::by_user;
  }
  if (fields.has("accountant")) options.accountant = fields.text("accountant");
  if (fields.has("direction")) {
    const std::string word = fields.text("direction");
    const std::optional<DirectionChoice> choice = direction_choice_of(word);
    if (!choice) {
      throw InputError("direction: must be both, remove or add, not " + abbreviated(word));
    }
    options.direction = *choice;
  }
  if (fields.has("timeout")) {
    const double seconds = estimate(fields.number("timeout"));
    if (!(seconds >= least_seconds)) throw InputError("timeout: must be at least 0.001 seconds");
    options.timeout_seconds = std::min(options.timeout_seconds, seconds);
  }
}

/// The text of an id that is one.
std::optional<std::string> id_text(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto place = json.find("id");
  if (place == json.end() || !(place->is_string() || place->is_number_integer())) {
    return std::nullopt;
  }
  return place->dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

Request read_request(std::string_view line, const AnswerOptions& defaults) {
  const Json json = parse_exact_json(line);
  const Fields fields(json);
  Request request;
  request.options = defaults;
  request.spec = fields.text("spec");
  read_question(fields, request);
  read_options(fields, request.options);
  return request;
}

std::string id_of(std::string_view line, std::uint64_t number) {
  const auto id = id_text(Json::parse(line, nullptr, false));
  return id ? *id : std::to_string(number);
}

std::optional<std::string> id_of_answer(std::string_view line) {
  return id_text(Json::parse(line, nullptr, false));
}

}  // namespace plaudit
