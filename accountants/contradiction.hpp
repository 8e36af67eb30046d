// Whether a proven band refutes what somebody claims of the same number.
#pragma once

#include "accountants/accountant.hpp"

namespace plaudit {

/// "band", "upper", "lower", "estimate".
std::string_view name_of(ClaimForm form);

/// Certainly no number of the band is as claimed. An estimate claims nothing.
bool contradicts(const Enclosure& band, const Enclosure& claimed, ClaimForm form);

}  // namespace plaudit
