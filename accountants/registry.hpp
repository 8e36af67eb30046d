// All accountants by name. Adding one: its file, which defines NAME_accountant(), and one line in
// registry.cpp; it is then in the command line, in compare and in the cross-checks.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "accountants/accountant.hpp"

namespace plaudit {

/// Every accountant, in the order in which they are listed and asked by `auto`.
const std::vector<std::shared_ptr<const Accountant>>& accountants();

/// The accountant `name` or `name(setting=value, ...)`. @throws std::invalid_argument naming the
/// known ones, SpecError for a setting that it does not take.
std::shared_ptr<const Accountant> accountant(std::string_view text);

}  // namespace plaudit
