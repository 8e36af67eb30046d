// Claims that a discrete PLD of another library is pessimistic (or optimistic) for what was run:
// its curve lies nowhere below (nowhere above) the exact one, at all epsilons >= 0.
//
// Certified bands decide some points of its grid, convexity in e^epsilon all that is between them.
// Proof: docs/proofs/discrete_pld.md#pessimistic, docs/proofs/discrete_pld.md#optimistic
#pragma once

#include "verification/audit/finding.hpp"
#include "verification/claims/claim.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

/// refuted by one point of the grid; valid where every epsilon >= 0 is decided; else undecided.
/// What is found is in `finding`, also where an exception ends the work.
void audit_pld(const Claim& claim, Sessions& sessions, const AuditOptions& options,
               Finding& finding);

}  // namespace plaudit
