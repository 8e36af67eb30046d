#include "verification/audit/audit_report.hpp"

#include "mechanisms/spec_error.hpp"
#include "verification/pictures/escaped.hpp"

namespace plaudit {

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
  if (!witness.attack.empty()) text += " of two data sets with the pair of " + witness.attack;
  if (!finding.reason.empty()) text += "; " + finding.reason;
  return text;
}

std::string statement_text(const Claim& claim, const Finding& finding) {
  if (!claim.adjacency || finding.verdict == Verdict::error) {
    return "This claim was not audited: " + finding.reason + ".";
  }
  std::string text =
      "For " + pictures::shortened(claim.spec, 300) + " (adjacency " + adjacency_text(claim);
  if (claim.direction != DirectionChoice::both) {
    text += claim.direction == DirectionChoice::add ? ", direction add" : ", direction remove";
  }
  text += "), the claim \u201c" + claim_text(claim) + "\u201d is ";
  const std::string quantity = claim.subject == Subject::renyi ? "Renyi divergence"
                               : claim.subject == Subject::mu  ? "mu"
                                                               : quantity_of(claim);
  const bool of_pld = claim.kind == ClaimKind::pessimistic || claim.kind == ClaimKind::optimistic;
  const std::string& gap = claim.subject == Subject::renyi       ? finding.gap
                           : claim.quantity == Quantity::epsilon ? finding.gap_epsilon
                                                                 : finding.gap_delta;
  switch (finding.verdict) {
    case Verdict::refuted:
      text += "false.";
      break;
    case Verdict::tight:
      text += "true, and tight within its tolerance.";
      break;
    case Verdict::valid:
      text += "true.";
      break;
    default:
      text += "undecided: " + finding.reason + ".";
  }
  if (!finding.lower.empty() && !of_pld) {
    text += " The exact " + quantity + " is certified to ";
    text += finding.lower == finding.upper
                ? "be " + finding.lower
                : "lie between " + finding.lower + " and " + finding.upper;
    if (!gap.empty() && gap != "0" && gap != "inf" && finding.verdict != Verdict::undecided) {
      text += finding.verdict == Verdict::refuted ? "; the claim is off by at least " + gap
                                                  : "; the claim is off by at most " + gap;
    }
    text += ".";
  } else if (finding.witness &&
             (!finding.witness->delta_lower.empty() || !finding.witness->delta_upper.empty())) {
    const Witness& witness = *finding.witness;
    text += " At epsilon = " + witness.epsilon + " delta is certified to be at ";
    text += witness.delta_lower.empty() ? "most " + witness.delta_upper
                                        : "least " + witness.delta_lower;
    text += ", where " + witness.claimed_delta + " is claimed.";
  }
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
    text += "| " + pictures::markdown(claims[i].id) + " | " +
            (finding.verdict == Verdict::refuted ? "**" + verdict + "**" : verdict) + " | " +
            pictures::markdown(claim_text(claims[i])) + " | " + pictures::markdown(band) + " | " +
            pictures::markdown(gap_text(finding.verdict, finding.gap_epsilon)) + " | " +
            pictures::markdown(gap_text(finding.verdict, finding.gap_delta)) + " | " +
            pictures::markdown(gap_text(finding.verdict, finding.relative_gap)) + " | " +
            pictures::markdown(abbreviated(claims[i].spec, 300)) + " | " +
            pictures::markdown(adjacency_text(claims[i])) + " | " +
            pictures::markdown(claims[i].source) + " | " +
            pictures::markdown(remark_text(finding)) + " |\n";
  }
  return text;
}

}  // namespace plaudit
