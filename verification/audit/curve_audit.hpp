// A claim on epsilon or delta, examined with more and more digits until certified bands, or exact
// arithmetic, decide it: the verdict, its witness, and by how much the claim is off.
#pragma once

#include <functional>

#include "verification/audit/finding.hpp"
#include "verification/claims/claim.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

/// What is found is in `finding`, also where an exception ends the work.
/// @param tell hears of it each time that more is decided.
void audit_curve(const Claim& claim, Sessions& sessions, const AuditOptions& options,
                 const std::function<void(const Finding&)>& tell, Finding& finding);

}  // namespace plaudit
