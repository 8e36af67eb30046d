// The accountant of a plug-in beside ours: what it answers is a claim, which nobody proves.
#pragma once

#include <memory>

#include "api/extend/core.hpp"

namespace plaudit::inline v0 {

/// @throws SpecError: its name is none.
std::shared_ptr<const plaudit::Accountant> stated_accountant(
    std::shared_ptr<const extend::Accountant> accountant);

/// Whether the claims of the accountant of that name are trusted.
bool is_trusted(std::string_view name);
void trust_accountant(std::string_view name);

}  // namespace plaudit::inline v0
