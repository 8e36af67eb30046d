#include "verification/reports/stopped_by.hpp"

#include <nlohmann/json.hpp>

namespace plaudit {

void put_cause(Json& report, Cause cause) {
  if (cause != Cause::none) report["stopped_by"] = name_of(cause);
}

}  // namespace plaudit
