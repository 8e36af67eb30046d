#include "verification/audit/audit_report.hpp"

#include "mechanisms/language/spec_error.hpp"

namespace plaudit {

namespace {

/// Text that Markdown shows as it is, within one cell of a table.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ') {
      result += ' ';
      continue;
    }
    if (std::string("\\`*_{}[]<>#|~&").find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

AuditSummary summarise(const std::vector<Finding>& findings) {
  AuditSummary summary;
  for (const Finding& finding : findings) {
    switch (finding.verdict) {
      case Verdict::valid:
        ++summary.valid;
        break;
      case Verdict::tight:
        ++summary.tight;
        break;
      case Verdict::refuted:
        ++summary.refuted;
        break;
      case Verdict::undecided:
        ++summary.undecided;
        break;
      case Verdict::error:
        ++summary.errors;
        summary.internal += finding.internal ? 1 : 0;
        break;
    }
  }
  return summary;
}

std::string summary_text(const AuditSummary& summary) {
  std::string text = std::to_string(summary.refuted) + " refuted, " +
                     std::to_string(summary.valid) + " valid, " + std::to_string(summary.tight) +
                     " tight, " + std::to_string(summary.undecided) + " undecided";
  if (summary.errors > 0) text += ", " + std::to_string(summary.errors) + " not audited";
  return text;
}

std::string claim_text(const Claim& claim) {
  if (!claim.adjacency) return "-";
  if (claim.subject == Subject::mu) return claim.claimed + "-GDP";
  const std::string quantity = quantity_of(claim);
  std::string text;
  switch (claim.kind) {
    case ClaimKind::upper:
      text = quantity + " <= " + claim.claimed;
      break;
    case ClaimKind::lower:
      text = quantity + " >= " + claim.claimed;
      break;
    case ClaimKind::estimate:
      text = quantity + " = " + claim.claimed + " +- " +
             (claim.tolerance ? to_string(*claim.tolerance)
                              : to_string(*claim.relative_tolerance) + " of it");
      break;
    case ClaimKind::band:
      text = quantity + " in " + claim.claimed;
      break;
    case ClaimKind::pessimistic:
    case ClaimKind::optimistic:
      return std::string(name_of(claim.kind)) + " PLD";
  }
  return text + " at " + argument_of(claim) + " = " + to_string(claim.argument);
}

std::string adjacency_text(const Claim& claim) {
  return claim.adjacency ? to_text(*claim.adjacency) : "-";
}

std::string gap_text(Verdict verdict, const std::string& gap) {
  if (gap.empty()) return "-";
  return (verdict == Verdict::refuted ? ">= " : "<= ") + gap;
}

std::string remark_text(const Finding& finding) {
  if (!finding.witness) return finding.reason;
  const Witness& witness = *finding.witness;
  if (witness.delta_lower.empty() && witness.delta_upper.empty()) return witness.event;
  std::string text = witness.direction + ": delta(" + witness.epsilon + ")";
  if (!witness.delta_lower.empty()) text += " >= " + witness.delta_lower;
  if (!witness.delta_upper.empty()) text += " <= " + witness.delta_upper;
  if (!witness.output_event.empty()) text += " by {" + witness.output_event + "}";
  if (!finding.reason.empty()) text += "; " + finding.reason;
  return text;
}

std::string markdown_report(const std::vector<Claim>& claims,
                            const std::vector<Finding>& findings) {
  std::string text =
      "# Audit\n\n" + std::to_string(claims.size()) +
      " claims: " + summary_text(summarise(findings)) +
      ".\n\nEvery verdict is decided by certified bands. Gaps: a refuted claim is off by at least "
      "this, a valid one by at most this.\n\n"
      "| id | verdict | claimed | certified band | gap epsilon | gap delta | relative gap | spec | "
      "adjacency | source | witness or remark |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Finding& finding = findings[i];
    const std::string verdict = name_of(finding.verdict);
    const std::string band =
        finding.lower.empty() ? "-" : "[" + finding.lower + ", " + finding.upper + "]";
    text += "| " + escaped(claims[i].id) + " | " +
            (finding.verdict == Verdict::refuted ? "**" + verdict + "**" : verdict) + " | " +
            escaped(claim_text(claims[i])) + " | " + escaped(band) + " | " +
            escaped(gap_text(finding.verdict, finding.gap_epsilon)) + " | " +
            escaped(gap_text(finding.verdict, finding.gap_delta)) + " | " +
            escaped(gap_text(finding.verdict, finding.relative_gap)) + " | " +
            escaped(abbreviated(claims[i].spec, 300)) + " | " + escaped(adjacency_text(claims[i])) +
            " | " + escaped(claims[i].source) + " | " + escaped(remark_text(finding)) + " |\n";
  }
  return text;
}

}  // namespace plaudit
