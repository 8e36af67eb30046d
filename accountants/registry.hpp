// All accountants by name. Adding one: its file, and one line in registry.cpp.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "accountants/accountant.hpp"

namespace plaudit {

/// Every accountant, in the order in which they are listed.
const std::vector<std::shared_ptr<const Accountant>>& accountants();

/// The accountant of that name. @throws std::invalid_argument naming the known ones.
const Accountant& accountant(std::string_view name);

}  // namespace plaudit
