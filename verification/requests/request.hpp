// A question as one JSON object: what a line of a file for `plaudit batch` says.
//
//   {"id": 7, "spec": "gaussian(sigma=2)^100", "delta": "1e-5"}                epsilon is asked
//   {"spec": "gaussian(sigma=2)^100", "epsilon": 3}                            delta is asked
//   {"spec": "gaussian(sigma=?)^100", "target_epsilon": 3, "delta": "1e-5"}    a calibration
//   {"spec": "gaussian(sigma=2)^?", "target_delta": "1e-6", "epsilon": 3}
//   {"spec": "gaussian(sigma=?)^100", "target_mu": 1}; as well "target_advantage"; "target_tpr",
//   "fpr"
//
// Numbers are JSON numbers or texts, and exact as they are written. A field that means nothing in
// the question is refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verification/calibration/calibration.hpp"
#include "verification/claims/exact_json.hpp"

namespace plaudit {

struct Request {
  std::string spec;
  Quantity quantity = Quantity::epsilon;  ///< asked for, or the target
  Rational argument;                      ///< the delta of an epsilon, the epsilon of a delta
  std::optional<Rational> target;         ///< of a calibration
  std::optional<TestTarget> tests;        ///< of one for what the best tests reach
  std::optional<Rational> from;
  std::optional<Rational> to;
  AnswerOptions options;
};

/// @param defaults of what the request does not state; `timeout_seconds` is also the most that it
///   may. @throws InputError that names the field.
Request read_request(std::string_view line, const AnswerOptions& defaults);

/// The id of a request or of an answer, a text or an integer, as JSON text: the number of its line
/// where it states none, or is not JSON.
std::string id_of(std::string_view line, std::uint64_t number);
/// The same of an answer; nothing where that is torn, or not one.
std::optional<std::string> id_of_answer(std::string_view line);

}  // namespace plaudit
