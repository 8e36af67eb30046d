// An answer as text and as JSON (docs: interface of `epsilon` and `delta`).
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "accountants/answer.hpp"

namespace plaudit::cli {

using Json = nlohmann::ordered_json;

/// What was asked, in words: "delta" and "1e-7" for the epsilon at delta = 1e-7.
struct Question {
  Quantity quantity;
  std::string spec;  ///< canonical
  Rational argument;
  int digits;
};

std::string name_of(Quantity quantity);
/// The name of what is given: delta where epsilon is asked.
std::string argument_name(Quantity quantity);

/// The ends with four digits more than were asked for, rounded outward.
std::string lower_text(const Enclosure& band, int digits);
std::string upper_text(const Enclosure& band, int digits);
/// "1.2 ms"
std::string time_text(double seconds);
/// `upper - lower`, rounded up.
std::string width_text(const Enclosure& band);

Json json_report(const Question& question, const Answer& answer, bool explain);
void text_report(std::ostream& out, const Question& question, const Answer& answer, bool explain);

}  // namespace plaudit::cli
