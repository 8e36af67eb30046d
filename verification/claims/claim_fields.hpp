// The names that the fields of a claim may have: others are refused, never dropped in silence.
#pragma once

#include <string>

#include "verification/claims/exact_json.hpp"

namespace plaudit {

bool known_field(const std::string& name);

/// The field that a header of CSV names: in small letters, with underscores for blanks and hyphens,
/// where that is one; else the header as it is.
std::string field_of_header(const std::string& cell);

/// "unknown field 'directionn' (did you mean direction?)"
std::string unknown_field(const std::string& name);

/// @throws InputError that names the first unknown field.
void check_fields(const Json& claim);

}  // namespace plaudit
