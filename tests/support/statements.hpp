// What tests of certificates compare with: the program's own band of one direction, and what the
// checker makes of a statement with choices of the test.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accountants/session/answer.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/checker/statements.hpp"

namespace plaudit::test {

/// delta(epsilon) of one direction by the program, to 25 digits.
struct Truth {
  Rational low;
  Rational high;
};
inline Truth truth(const std::string& spec, const char* epsilon, Direction direction) {
  const PrecisionScope precision(400);
  AnswerOptions options;
  options.digits = 25;
  options.direction =
      direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
  const Answer answer =
      Session(parse_spec(spec), options).answer(Quantity::delta, parse_rational(epsilon));
  const Enclosure* band = &answer.band;
  for (const DirectionAnswer& each : answer.directions) {
    if (each.direction == direction) band = &each.band;
  }
  return {parse_rational(decimal_below(band->lower, 30)),
          parse_rational(decimal_above(band->upper, 30))};
}

/// What the checker finds, in our numbers.
struct Evaluated {
  bool valid;
  std::string reason;
  Rational low;
  Rational high;
  std::optional<Rational> before;
  std::vector<std::pair<std::string, std::string>> errors;
};
inline Evaluated evaluated(const proof::Spec& spec, const nlohmann::json& statement) {
  const proof::Evaluation found = proof::evaluate(spec, statement, {});
  std::optional<Rational> before;
  if (found.before) before = *found.before;
  return {found.valid, found.reason, found.low, found.high, before, found.errors};
}

/// The errors of an evaluation by their names.
inline std::map<std::string, Rational> error_sizes(const Evaluated& found) {
  std::map<std::string, Rational> result;
  for (const auto& [name, size] : found.errors) result[name] = parse_rational(size);
  return result;
}

inline Evaluated evaluated(const proof::Spec& spec, const char* kind, const char* epsilon,
                           const nlohmann::json& choices, const char* direction = "remove",
                           long bits = 160) {
  const nlohmann::json statement = {{"direction", direction},
                                    {"epsilon", epsilon},
                                    {"kind", kind},
                                    {"bits", bits},
                                    {"choices", choices}};
  return evaluated(spec, statement);
}
inline Evaluated evaluated(const std::string& spec, const char* kind, const char* epsilon,
                           const nlohmann::json& choices, const char* direction = "remove",
                           long bits = 160) {
  return evaluated(proof::read_spec(spec, {}), kind, epsilon, choices, direction, bits);
}

}  // namespace plaudit::test
