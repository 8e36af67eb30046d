// The work of an audit, claim by claim, picture by picture and certificate by certificate, each in
// a worker of its own where it must be (cli/isolated.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/isolated.hpp"
#include "verification/audit/audit.hpp"
#include "verification/audit/audit_report.hpp"
#include "verification/claims/claims.hpp"

namespace plaudit::cli {

/// Claims as reports need them, and their findings, in the order of the entries.
struct Audited {
  std::vector<Claim> claims;
  std::vector<Finding> findings;
};

Audited audit_entries(const std::vector<ClaimEntry>& entries, const AuditOptions& how,
                      const Backstop& limits, const std::function<void(std::size_t)>& done);

/// The curves of the sections of the report; empty where there is none.
std::vector<std::string> curves_of(const Audited& audited, PictureChoice choice,
                                   const AuditOptions& how, const Backstop& limits);

/// Of a refutation: its certificate, or why there is none. Of other findings: nothing.
struct Evidence {
  std::string text;
  std::string refusal;
};

std::vector<Evidence> evidence_of(const Audited& audited, const AuditOptions& how,
                                  const Backstop& limits);

}  // namespace plaudit::cli
