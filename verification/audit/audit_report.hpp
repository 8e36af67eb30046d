// An audit as text: the words of the table, a Markdown report, an HTML report.
#pragma once

#include <string>
#include <vector>

#include "verification/audit/audit.hpp"

namespace plaudit {

struct AuditSummary {
  std::size_t valid = 0;
  std::size_t tight = 0;
  std::size_t refuted = 0;
  std::size_t undecided = 0;
  std::size_t errors = 0;
  std::size_t internal = 0;  ///< among the errors
};

AuditSummary summarise(const std::vector<Finding>& findings);

/// "3 refuted, 5 valid, 1 tight, 0 undecided".
std::string summary_text(const AuditSummary& summary);
/// "epsilon <= 9.31 at delta = 1e-10".
std::string claim_text(const Claim& claim);
/// Between which data sets the claimed number is one; "-" where the spec could not be read.
std::string adjacency_text(const Claim& claim);
/// ">= 0.01" of a refutation, "<= 0.2" of a valid claim, "-" where unknown.
std::string gap_text(Verdict verdict, const std::string& gap);
/// The witness of a refutation, or the reason.
std::string remark_text(const Finding& finding);

std::string markdown_report(const std::vector<Claim>& claims, const std::vector<Finding>& findings);

/// The claims by composition and direction, those with refuted claims first: a section of the
/// report each.
std::vector<std::vector<std::size_t>> report_sections(const std::vector<Claim>& claims,
                                                      const std::vector<Finding>& findings);

/// Sections beyond have no picture.
constexpr std::size_t most_pictures = 40;

/// One file without any reference to another one: styles and pictures are inline, readable on a
/// narrow screen, light and dark. `pictures` are those of the first sections (curve_picture), empty
/// where there is none.
std::string html_report(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                        const std::vector<std::string>& pictures);

}  // namespace plaudit
