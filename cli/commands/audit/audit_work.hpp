// The work of an audit in workers (cli/isolated.hpp): verdicts, the curves of a report, and
// certificates of refutations.
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

/// @param done hears how many claims are finished.
Audited audit_entries(const std::vector<ClaimEntry>& entries, const AuditOptions& how,
                      const Backstop& limits, const std::function<void(std::size_t)>& done);

/// The curve of each section of the report, as SVG; empty where it has none.
std::vector<std::string> curves_of(const Audited& audited, PictureChoice choice,
                                   const AuditOptions& how, const Backstop& limits);

/// The certificate of a refuted claim, or why there is none; both empty for other verdicts.
struct Evidence {
  std::string text;
  std::string refusal;
};

std::vector<Evidence> evidence_of(const Audited& audited, const AuditOptions& how,
                                  const Backstop& limits);

}  // namespace plaudit::cli
