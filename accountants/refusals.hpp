// Why an accountant does not apply: its own reason, and before that what holds for all of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accountants/accountant.hpp"
#include "api/plaudit/errors.hpp"

namespace plaudit {

/// The accountant that needs no more than bounds of the moments of a factor.
inline constexpr std::string_view accountant_of_bounds = "moments";

/// Nothing if the accountant applies, otherwise the reason why not. Where only bounds of a factor's
/// moments are known, none applies but that one.
std::optional<std::string> refusal_of(const Accountant& accountant, const ComposedLoss& loss);

}  // namespace plaudit
