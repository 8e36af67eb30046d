// Claims that a run is mu-GDP (Dong, Roth, Su 2022): delta(eps) <= delta_mu(eps) for every eps,
// delta_mu the curve of N(mu, 1) against N(0, 1).
//
// refuted: a certified point of the curve lies above delta_mu. valid: the run is dominated by
// Gaussian mechanisms, sampling left aside, whose mu together is at most the claimed one. Proof:
// docs/proofs/gaussian_dp.md#domination
#pragma once

#include "verification/audit/finding.hpp"
#include "verification/claims/claim.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

/// What is found is in `finding`, also where an exception ends the work.
void audit_gaussian_dp(const Claim& claim, Sessions& sessions, const AuditOptions& options,
                       Finding& finding);

}  // namespace plaudit
