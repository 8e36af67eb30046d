// A report of `plaudit observe` as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/question.hpp"

namespace plaudit::cli {

std::string text_of_observation(const ReadSpec& spec, const nlohmann::ordered_json& report);

}  // namespace plaudit::cli
