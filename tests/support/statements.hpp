// What tests of certificates compare with: the program's own band of one direction, and what the
// checker makes of a statement with choices of the test.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "accountants/answer.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/decimal.hpp"
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
  const Answer answer =
      Session(parse_spec(spec), options).answer(Quantity::delta, parse_rational(epsilon));
  const Enclosure* band = &answer.band;
  for (const DirectionAnswer& each : answer.directions) {
    if (each.direction == direction) band = &each.band;
  }
  return {parse_rational(decimal_below(band->lower, 30)),
          parse_rational(decimal_above(band->upper, 30))};
}

inline checker::Evaluation evaluated(const std::string& spec, const char* kind, const char* epsilon,
                                     const nlohmann::json& choices,
                                     const char* direction = "remove", long bits = 160) {
  const nlohmann::json statement = {{"direction", direction},
                                    {"epsilon", epsilon},
                                    {"kind", kind},
                                    {"bits", bits},
                                    {"choices", choices}};
  return checker::evaluate(checker::read_spec(spec, {}), statement, {});
}

}  // namespace plaudit::test
