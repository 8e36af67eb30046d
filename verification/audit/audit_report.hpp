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

/// The finding in sentences that can be quoted: what is claimed of what was run, whether it is
/// true, and what is certified.
std::string statement_text(const Claim& claim, const Finding& finding);

/// The claims by composition and direction, those with refuted claims first: a section of the
/// report each.
std::vector<std::vector<std::size_t>> report_sections(const std::vector<Claim>& claims,
                                                      const std::vector<Finding>& findings);

/// Which findings have pictures.
enum class PictureChoice {
  none,
  refuted,
  notable,  ///< where the claim is near the exact number, or wrong: all but those that are valid
  all
};

/// Of the words "none", "refuted", "notable", "all". @throws SpecError
PictureChoice picture_choice(const std::string& words);

bool is_pictured(PictureChoice choice, Verdict verdict);

/// The sections whose curve is to be drawn: those with a finding that has a picture. A curve costs
/// time, so only the first ones have one, unless all pictures were asked for.
std::vector<std::size_t> sections_with_curves(const std::vector<std::vector<std::size_t>>& sections,
                                              const std::vector<Finding>& findings,
                                              PictureChoice choice);

/// Where the certificate of a refutation is, or why there is none.
struct CertificateLink {
  std::string target;  ///< as a path with '/', relative to the report where that can be
  std::string refusal;
};

/// What a report shows beside claims and findings.
struct ReportDetails {
  std::string date = {};  ///< nothing is shown where it is empty
  AuditOptions how = {};  ///< the digits and the time
  PictureChoice pictures = PictureChoice::notable;
  std::vector<std::string> curves = {};            ///< of the sections (curve_picture), or empty
  std::vector<CertificateLink> certificates = {};  ///< of the claims, or empty
};

/// One file that fetches nothing and runs nothing: styles and pictures are inline, readable on a
/// narrow screen, light and dark. It refers to itself and to certificates alone.
std::string html_report(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                        const ReportDetails& details);

}  // namespace plaudit
