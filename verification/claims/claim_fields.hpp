// The names that the fields of a claim may have: others are refused, never dropped in silence.
#pragma once

#include <string>

#include "verification/claims/exact_json.hpp"

namespace plaudit {

bool known_field(const std::string& name);

/// "unknown field 'directionn' (is direction meant?)"
std::string unknown_field(const std::string& name);

/// @throws InputError that names the first unknown field.
void check_fields(const Json& claim);

}  // namespace plaudit
