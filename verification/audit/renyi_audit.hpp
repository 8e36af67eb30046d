// Claims of Renyi divergences, decided by their certified bands (docs/proofs/chernoff.md#renyi).
#pragma once

#include "verification/audit/finding.hpp"
#include "verification/claims/claim.hpp"

namespace plaudit {

/// Of the larger direction, or of the one that is claimed. The digits rise until the claim is
/// decided. What is found is in `finding`, also where an exception ends the work.
void audit_renyi(const Claim& claim, const AuditOptions& options, Finding& finding);

}  // namespace plaudit
