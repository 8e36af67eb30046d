// JSON as text, and what several reports say in the same words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "accountants/session/answer.hpp"

namespace plaudit {

using Json = nlohmann::ordered_json;

/// As it is printed: indented, ASCII alone (anything else is escaped), whatever the text in it.
std::string printed(const Json& json);
/// The same without line ends.
std::string one_line(const Json& json);

std::string name_of(Quantity quantity);
/// The name of what is given: delta where epsilon is asked.
std::string argument_name(Quantity quantity);

/// The digits to print an answer with: those asked for, or, where fewer were wanted in the end
/// (Answer::digits), as many as its band has, at least these.
int printed_digits(const Answer& answer, int asked);

/// The ends with four digits more than were asked for, rounded outward.
std::string lower_text(const Enclosure& band, int digits);
std::string upper_text(const Enclosure& band, int digits);
/// {"lower": ..., "upper": ...}
Json ends_json(const Enclosure& band, int digits);

/// What every report of a question begins with: "plaudit", "spec", "query" and "quantity".
Json report_head(const std::string& spec, Quantity quantity, const Rational& argument);

/// Adds "lower_end": of what the lower end is a bound, why, and what an attack shows where it is
/// one of the pair alone. Of false negative rates, whose lower end is the guarantee (`lower` is
/// false), it adds the same of the "upper_end".
void put_band_of(Json& report, const BandOf& of, int digits, bool lower = true);

/// Adds "adjacency", "group_size", where there is none "guarantee", and "reading".
void put_adjacency(Json& report, const Adjacency& adjacency);

}  // namespace plaudit
