// What ended the work on a band, as JSON says it.
#pragma once

#include "verification/reports/json_text.hpp"

namespace plaudit {

/// Adds "stopped_by", one word (lib/work/given_up.hpp), unless the work came to its end.
void put_cause(Json& report, Cause cause);

}  // namespace plaudit
