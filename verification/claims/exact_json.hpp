// JSON whose numbers stay the text that was written: 1e-10 is 1/10^10, not the double next to it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "api/plaudit/errors.hpp"

namespace plaudit {

using Json = nlohmann::ordered_json;

/// Every number becomes a string. @throws InputError: not JSON, a key twice in one object, nested
/// deeper than 200, over 2,000,000 values.
Json parse_exact_json(std::string_view text);

}  // namespace plaudit
