// An answer as text and as JSON (docs: interface of `epsilon` and `delta`).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "accountants/session/answer.hpp"

namespace plaudit::cli {

using Json = nlohmann::ordered_json;

/// What was asked, in words: "delta" and "1e-7" for the epsilon at delta = 1e-7.
struct Question {
  Quantity quantity;
  std::string spec;  ///< canonical
  Rational argument;
  int digits;
  Adjacency adjacency;
};

/// As it is printed: indented, ASCII alone (anything else is escaped), whatever the text in it.
std::string printed(const Json& json);
/// The same without line ends.
std::string one_line(const Json& json);

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

/// Adds "adjacency", "group_size" and, where there is none, "guarantee".
void put_adjacency(Json& report, const Adjacency& adjacency);
/// "adjacency add_remove", with a warning where the band is no privacy guarantee.
std::string adjacency_line(const Adjacency& adjacency);

Json json_report(const Question& question, const Answer& answer, bool explain);
void text_report(std::ostream& out, const Question& question, const Answer& answer, bool explain);

}  // namespace plaudit::cli
