// The accountant of a plug-in as one of the library's, whose answers are claims without a proof.
#pragma once

#include <memory>

#include "api/extend/core.hpp"

namespace plaudit::inline v0 {

/// @throws SpecError where its name is no word of the spec language.
std::shared_ptr<const plaudit::Accountant> stated_accountant(
    std::shared_ptr<const extend::Accountant> accountant);

/// Whether the claims of the accountant of that name may narrow bands, which the user decides.
bool is_trusted(std::string_view name);
void trust_accountant(std::string_view name);

}  // namespace plaudit::inline v0
