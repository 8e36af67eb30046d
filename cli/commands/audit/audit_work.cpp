#include "cli/commands/audit/audit_work.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/audit/audit_messages.hpp"
#include "cli/output/report.hpp"
#include "cli/output/usage_error.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/audit/finding_pictures.hpp"
#include "verification/certificates/write.hpp"
#include "verification/pictures/escaped.hpp"

namespace plaudit::cli {

namespace {

constexpr int certificate_digits = 12;  ///< of the band of delta that is certified, at first
/// Claims on one composition in a block, which shares their work; more go to other workers.
constexpr std::size_t largest_block = 16;

/// Items 2 i and, where it has two claims, 2 i + 1 are those of entry i. Entries whose fields about
/// the run are the same text are in one block.
Blocks blocks_of(const std::vector<ClaimEntry>& entries) {
  Blocks blocks;
  std::map<std::string, std::size_t> open;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Json key = Json::array();
    for (const char* name : {"spec", "history", "event", "direction", "noise_multiplier", "batch",
                             "population", "epochs", "sample_rate", "steps"}) {
      const Json& fields = entries[i].fields;
      key.push_back(fields.is_object() && fields.contains(name) ? fields[name] : Json());
    }
    const auto [place, is_new] = open.try_emplace(one_line(key), blocks.size());
    if (is_new || blocks[place->second].size() >= largest_block) {
      place->second = blocks.size();
      blocks.emplace_back();
    }
    blocks[place->second].push_back(2 * i);
    if (entries[i].error.empty() && entries[i].is_two_claims()) {
      blocks[place->second].push_back(2 * i + 1);
    }
  }
  return blocks;
}

/// The finding where the work ended early: what was told so far, or undecided or an error.
Finding finding_after(const End& end) {
  Finding finding;
  if (!end.so_far.empty()) finding = finding_of(end.so_far);
  if (finding.verdict != Verdict::undecided) return finding;
  if (end.how != Ending::failed && end.how != Ending::refused && end.how != Ending::broken) {
    finding.reason = end.words;
    return finding;
  }
  finding = error_finding(end.words);
  finding.internal = end.how == Ending::failed;
  return finding;
}

/// Of the mechanism, or of the two data sets that contradict the claim.
Composition composition_of(const Claim& claim, const Witness& witness) {
  if (witness.attack.empty()) return parse_spec(claim.spec);
  try {
    return parse_spec(witness.attack);
  } catch (const SpecError&) {
    throw UsageError("no spec has the tests of two data sets that contradict the claim");
  }
}

/// A certificate of a band of delta at the witness's epsilon that excludes the claimed delta; the
/// checker has accepted it. @throws UsageError, NoCertificate with the reason where there is none.
std::string certificate_of(const Claim& claim, const Finding& finding, double seconds) {
  if (!finding.witness) throw UsageError("no point of the curve to certify");
  const Witness& witness = *finding.witness;
  const bool shown = !witness.delta_lower.empty() || !witness.delta_upper.empty();
  const auto infinite = [](const std::string& text) { return text.find("inf") != text.npos; };
  if (!shown || infinite(witness.epsilon) || infinite(witness.claimed_delta)) {
    throw UsageError("false by definition: no point of the curve to certify");
  }
  const Rational epsilon = parse_rational(witness.epsilon);
  if (claim.quantity == Quantity::epsilon && epsilon < 0) {
    throw UsageError("false by definition: epsilon(delta) is at least 0");
  }
  const Rational claimed = parse_rational(witness.claimed_delta);
  const int most = std::max(certificate_digits, finding.digits + 6);
  const WorkLimit limit(seconds);
  const Composition composition = composition_of(claim, witness);
  AnswerOptions how;
  how.direction = claim.direction;
  how.timeout_seconds = seconds;
  for (how.digits = certificate_digits;; how.digits = most) {
    const Answer answer = Session(composition, how).answer(Quantity::delta, epsilon);
    Rational lower;
    Rational upper;
    try {
      lower = parse_rational(lower_text(answer.band, how.digits));
      upper = parse_rational(upper_text(answer.band, how.digits));
    } catch (const NumberError&) {
      throw UsageError("delta there has too long an exponent for a certificate");
    }
    if (lower <= claimed && claimed <= upper) {
      if (how.digits < most) continue;
      throw UsageError("the band does not exclude the claim");
    }
    return write_certificate(composition,
                             {Quantity::delta, epsilon, lower_text(answer.band, how.digits),
                              upper_text(answer.band, how.digits)},
                             answer, seconds)
        .text;
  }
}

}  // namespace

Audited audit_entries(const std::vector<ClaimEntry>& entries, const AuditOptions& how,
                      const Backstop& limits, const std::function<void(std::size_t)>& done) {
  std::vector<std::optional<Claim>> claims(2 * entries.size());
  std::vector<std::optional<Finding>> findings(2 * entries.size());
  std::optional<Auditor> auditor;  // lives in the worker
  std::function<void(const Finding&)> hears;
  const auto work = [&](std::size_t item, const Tell& tell) {
    if (!auditor) {
      AuditOptions telling = how;
      telling.known = [&](const Finding& finding) { hears(finding); };
      auditor.emplace(telling);
    }
    const WorkLimit limit(how.timeout_seconds);
    const std::vector<Claim> read = claims_of(entries[item / 2]);
    if (item % 2 >= read.size()) return;  // the entry looked like two claims, but is one
    const Claim& claim = read[item % 2];
    tell(message_of(claim));
    tell.so_far(message_of(Finding()));
    hears = [&](const Finding& finding) { tell.so_far(message_of(finding)); };
    tell(message_of(auditor->audit(claim)));
  };
  const auto hear = [&](std::size_t item, const std::string& message) {
    if (!claims[item]) {
      claims[item] = claim_of(message);
    } else {
      findings[item] = finding_of(message);
    }
  };
  std::size_t finished = 0;
  const auto ended = [&](std::size_t item, const End& end) {
    ++finished;
    done(finished);
    if (findings[item] || end.how == Ending::finished) return;
    if (!claims[item]) claims[item] = unreadable_claim(entries[item / 2].id, end.words);
    findings[item] = finding_after(end);
  };
  run_isolated(blocks_of(entries), how.threads, limits, {work, hear, ended});
  Audited audited;
  for (std::size_t item = 0; item < claims.size(); ++item) {
    if (!claims[item]) continue;
    audited.claims.push_back(std::move(*claims[item]));
    audited.findings.push_back(std::move(*findings[item]));
  }
  return audited;
}

std::vector<std::string> curves_of(const Audited& audited, PictureChoice choice,
                                   const AuditOptions& how, const Backstop& limits) {
  const auto sections = report_sections(audited.claims, audited.findings);
  std::vector<std::string> curves(sections.size());
  Blocks blocks;
  for (const std::size_t s : sections_with_curves(sections, audited.findings, choice)) {
    if (audited.claims[sections[s][0]].adjacency) blocks.push_back({s});
  }
  const auto work = [&](std::size_t item, const Tell& tell) {
    tell(curve_picture(audited.claims, audited.findings, sections[item], how.timeout_seconds));
  };
  const auto hear = [&](std::size_t item, const std::string& message) { curves[item] = message; };
  const auto ended = [&](std::size_t item, const End& end) {
    if (end.how == Ending::finished) return;
    curves[item] = "<p class=\"quiet\">no curve: " + pictures::escaped(end.words) + "</p>";
  };
  run_isolated(blocks, how.threads, limits, {work, hear, ended});
  return curves;
}

std::vector<Evidence> evidence_of(const Audited& audited, const AuditOptions& how,
                                  const Backstop& limits) {
  std::vector<Evidence> evidence(audited.claims.size());
  Blocks blocks;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (audited.findings[i].verdict == Verdict::refuted) blocks.push_back({i});
  }
  const auto work = [&](std::size_t item, const Tell& tell) {
    try {
      tell(certificate_of(audited.claims[item], audited.findings[item], how.timeout_seconds));
    } catch (const NoCertificate& reason) {
      throw UsageError(reason.what());
    }
  };
  const auto hear = [&](std::size_t item, const std::string& message) {
    evidence[item].text = message;
  };
  const auto ended = [&](std::size_t item, const End& end) { evidence[item].refusal = end.words; };
  run_isolated(blocks, how.threads, limits, {work, hear, ended});
  return evidence;
}

}  // namespace plaudit::cli
