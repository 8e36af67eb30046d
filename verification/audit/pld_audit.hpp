// Is an exported discrete PLD really pessimistic (or optimistic) for what was run?
//
// Proof: docs/proofs/discrete_pld.md#pessimistic
#pragma once

#include "verification/audit/finding.hpp"
#include "verification/claims/claim.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

/// Compares its curve with the certified one at every epsilon >= 0.
Finding audit_pld(const Claim& claim, Sessions& sessions, const AuditOptions& options);

}  // namespace plaudit
