// Claims and findings as text for a pipe: what the workers of an audit tell.
#pragma once

#include <string>

#include "verification/audit/audit.hpp"

namespace plaudit::cli {

/// All that reports need; the composition and a discrete PLD stay in the worker that read them.
/// Bytes that are no UTF-8 are replaced, as reports would do.
std::string message_of(const Claim& claim);
Claim claim_of(const std::string& message);

std::string message_of(const Finding& finding);
Finding finding_of(const std::string& message);

}  // namespace plaudit::cli
