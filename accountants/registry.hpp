// All accountants by name. Adding one: its file, which defines NAME_accountant(), and one line in
// registry.cpp; it is then in the command line, in compare and in the cross-checks.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "accountants/accountant.hpp"

namespace plaudit {

/// Every one of ours, in the order in which they are listed and asked by `auto`.
const std::vector<std::shared_ptr<const Accountant>>& accountants();

/// The same and those that were added, by name, at run time: a plug-in's come last.
std::vector<std::shared_ptr<const Accountant>> all_accountants();

/// Adds one at run time; from any thread. @throws std::invalid_argument: the name is taken.
void add_accountant(std::shared_ptr<const Accountant> accountant);
/// Whether an accountant of that name could be added.
bool is_free_accountant_name(std::string_view name);

/// The accountant `name` or `name(setting=value, ...)`. @throws std::invalid_argument naming the
/// known ones, SpecError for a setting that it does not take.
std::shared_ptr<const Accountant> accountant(std::string_view text);

}  // namespace plaudit
