// The parts of a run as other libraries write them: numbers, lists, and their product.
#pragma once

#include <string>
#include <vector>

#include "lib/exact/rational.hpp"
#include "verification/claims/exact_json.hpp"

namespace plaudit {

/// The text of a value, of digits and the signs of a number alone: no field can put anything else
/// into a spec.
/// @throws InputError beginning with `what`
std::string number_text(const Json& value, const std::string& what);

/// A field of an event of that type: its text, its value, a list of numbers as the text of a spec.
/// @throws InputError naming both
std::string field(const Json& event, const std::string& type, const char* name);
Rational number_field(const Json& event, const std::string& type, const char* name);
std::string list_field(const Json& event, const std::string& type, const char* name);

/// The factors in order, with " * " between them. @throws InputError where there are none
std::string product_of(const std::vector<std::string>& factors);

}  // namespace plaudit
