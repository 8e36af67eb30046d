// The HTML report: one file, no script, nothing fetched.
#include <algorithm>
#include <map>

#include "mechanisms/language/spec_error.hpp"
#include "verification/audit/audit_report.hpp"
#include "verification/audit/curve_picture.hpp"
#include "verification/audit/svg.hpp"

namespace plaudit {

namespace {

constexpr const char* style = R"(
:root{--ground:#fff;--ink:#1b1f24;--quiet:#59636e;--line:#d1d9e0;--curve:#17406d;
--refuted:#c2251d;--valid:#1a7f37;--tight:#0b6e99;--undecided:#8a6100;--error:#6b6b6b}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--quiet:#9198a1;
--line:#3d444d;--curve:#79b8ff;--refuted:#ff7b72;--valid:#56d364;--tight:#56c2e6;
--undecided:#e3b341;--error:#a0a0a0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--ground);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1rem;font-family:ui-monospace,monospace;
font-weight:600;margin:0 0 .5rem}
.counts{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0;padding:0;list-style:none}
.counts li{flex:1 1 6rem;border:1px solid var(--line);border-radius:.5rem;padding:.5rem .75rem}
.counts b{display:block;font-size:1.75rem;line-height:1.2}
section{border:1px solid var(--line);border-radius:.5rem;padding:.75rem;margin:1rem 0}
article{border-top:1px solid var(--line);padding:.5rem 0}
article p{margin:.15rem 0}.id{font-weight:600}.quiet{color:var(--quiet)}
.badge{font-weight:700}
b.refuted,.badge.refuted{color:var(--refuted)}b.valid,.badge.valid{color:var(--valid)}
b.tight,.badge.tight{color:var(--tight)}b.undecided,.badge.undecided{color:var(--undecided)}
b.error,.badge.error{color:var(--error)}
svg{width:100%;height:auto;max-width:40rem;display:block}
svg text{font:12px system-ui,sans-serif;fill:var(--quiet)}
.grid{stroke:var(--line);stroke-width:1}.curve{fill:none;stroke:var(--curve);stroke-width:2.5}
circle{stroke:var(--ground);stroke-width:1.5}
circle.refuted{fill:var(--refuted)}circle.valid{fill:var(--valid)}circle.tight{fill:var(--tight)}
circle.undecided{fill:var(--undecided)}
)";

std::string count(const char* verdict, std::size_t number) {
  return std::string("<li><b class=\"") + verdict + "\">" + std::to_string(number) + "</b>" +
         (std::string(verdict) == "error" ? "not audited" : verdict) + "</li>";
}

std::string line(const std::string& words) { return "<p>" + words + "</p>"; }

std::string article(const Claim& claim, const Finding& finding) {
  const std::string verdict = name_of(finding.verdict);
  std::string html = "<article>" + line("<span class=\"badge " + verdict + "\">" + verdict +
                                        "</span> <span class=\"id\">" + svg::escaped(claim.id) +
                                        "</span> " + svg::escaped(claim_text(claim)));
  if (!finding.lower.empty()) {
    html += line("certified: " + svg::escaped("[" + finding.lower + ", " + finding.upper + "]"));
  }
  if (!finding.gap_epsilon.empty() || !finding.gap_delta.empty()) {
    html += line(std::string(finding.verdict == Verdict::refuted ? "false" : "loose") +
                 " by epsilon " + svg::escaped(gap_text(finding.verdict, finding.gap_epsilon)) +
                 ", delta " + svg::escaped(gap_text(finding.verdict, finding.gap_delta)));
  }
  if (!finding.relative_gap.empty()) {
    html += line("relative to the exact number: " +
                 svg::escaped(gap_text(finding.verdict, finding.relative_gap)));
  }
  if (finding.witness) {
    const Witness& witness = *finding.witness;
    std::string words =
        "witness: direction " + witness.direction + ", delta(" + witness.epsilon + ")";
    if (!witness.delta_lower.empty()) words += " >= " + witness.delta_lower;
    if (!witness.delta_upper.empty()) words += " <= " + witness.delta_upper;
    words += "; claimed " + witness.claimed_delta + ". " + witness.event;
    if (!witness.output_event.empty()) {
      words += ". As an event: {" + witness.output_event + "} gives at least " +
               witness.output_delta_lower;
    }
    html += line(svg::escaped(words));
  }
  if (!finding.reason.empty())
    html += "<p class=\"quiet\">" + svg::escaped(finding.reason) + "</p>";
  if (!claim.source.empty()) {
    html += "<p class=\"quiet\">source: " + svg::escaped(claim.source) + "</p>";
  }
  return html + "</article>";
}

}  // namespace

std::vector<std::vector<std::size_t>> report_sections(const std::vector<Claim>& claims,
                                                      const std::vector<Finding>& findings) {
  std::vector<std::vector<std::size_t>> sections;
  std::map<std::pair<std::string, DirectionChoice>, std::size_t> place;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const auto key =
        std::make_pair(claims[i].adjacency ? claims[i].spec : std::string(), claims[i].direction);
    const auto [known, added] = place.emplace(key, sections.size());
    if (added) sections.emplace_back();
    sections[known->second].push_back(i);
  }
  const auto refuted = [&](const std::vector<std::size_t>& members) {
    return std::any_of(members.begin(), members.end(),
                       [&](std::size_t i) { return findings[i].verdict == Verdict::refuted; });
  };
  std::stable_partition(sections.begin(), sections.end(), refuted);
  return sections;
}

std::string html_report(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                        const std::vector<std::string>& pictures) {
  const AuditSummary summary = summarise(findings);
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>plaudit: audit</title><style>" +
      std::string(style) + "</style></head><body><h1>Audit of " + std::to_string(claims.size()) +
      (claims.size() == 1 ? " claim" : " claims") + "</h1><ul class=\"counts\">" +
      count("refuted", summary.refuted) + count("valid", summary.valid) +
      count("tight", summary.tight) + count("undecided", summary.undecided) +
      (summary.errors > 0 ? count("error", summary.errors) : "") +
      "</ul><p class=\"quiet\">Every verdict is decided by certified bands. A refuted claim is "
      "false by at "
      "least, a valid one loose by at most what is stated. Pictures: the certified curve and the "
      "claims on "
      "it.</p>\n";
  std::size_t section = 0;
  for (const std::vector<std::size_t>& members : report_sections(claims, findings)) {
    const Claim& first = claims[members[0]];
    html += "<section><h2>" +
            svg::escaped(first.adjacency ? abbreviated(first.spec, 2000) : "not audited") + "</h2>";
    if (first.adjacency) {
      html += "<p class=\"quiet\">adjacency: " + svg::escaped(adjacency_text(first)) + "</p>";
    }
    if (section < pictures.size()) html += pictures[section];
    ++section;
    for (const std::size_t i : members) html += article(claims[i], findings[i]);
    html += "</section>\n";
  }
  return html + "</body></html>\n";
}

}  // namespace plaudit
