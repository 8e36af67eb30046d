// The HTML report: one file, no script, nothing fetched.
#include <algorithm>
#include <map>

#include "lib/text.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/audit/audit_report.hpp"
#include "verification/audit/finding_pictures.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/pictures/page.hpp"

namespace plaudit {

namespace {

using pictures::escaped;

/// Sections that have a curve, at most, unless all pictures were asked for.
constexpr std::size_t most_curves = 40;
constexpr std::size_t longest_heading = 2000;  ///< in characters, as the next two
constexpr std::size_t longest_cell = 64;
constexpr std::size_t longest_whole = 30;  ///< of what is kept on one line

const char* words_of(Verdict verdict) {
  return verdict == Verdict::error ? "not audited" : name_of(verdict);
}

std::string badge(Verdict verdict, const std::string& words) {
  const pictures::Badge look = badge_of(verdict);
  return "<span class=\"badge " + look.css + "\">" + pictures::icon(look.shape, look.css) + words +
         "</span>";
}

std::string count(Verdict verdict, std::size_t number) {
  return "<li><b>" + std::to_string(number) + "</b>" + badge(verdict, words_of(verdict)) + "</li>";
}

/// Text in which numbers such as 1e-7 are not broken at their sign.
std::string prose(const std::string& text) {
  std::string html;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::size_t sign = word.find("e-");
    const bool number = sign != std::string::npos && sign > 0 && word.size() <= longest_whole &&
                        word.find_first_of("0123456789") < sign;
    html += number ? "<span class=\"whole\">" + escaped(word) + "</span>" : escaped(word);
    if (end < text.size()) html += ' ';
    at = end + 1;
  }
  return html;
}

/// Parts of a cell of the table, each on one line where that is not too long.
std::string in_parts(const std::string& text, const std::string& between) {
  const std::size_t place = text.find(between);
  const auto part = [](const std::string& words) {
    const char* css = words.size() > longest_whole ? "long" : "whole";
    return std::string("<span class=\"") + css + "\">" + escaped(words) + "</span>";
  };
  if (text.size() > longest_cell) return part(pictures::shortened(text, longest_cell));
  if (place == std::string::npos) return part(text);
  const std::size_t second = place + between.find(' ') + 1;
  return part(text.substr(0, second - 1)) + ' ' + part(text.substr(second));
}

std::string anchor_of(std::size_t i) { return "claim-" + std::to_string(i + 1); }

/// A path as a reference to a file: what is not plain is written as %XX.
std::string reference(const std::string& path) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string result;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string("-._~/").find(c) != std::string::npos;
    if (plain) {
      result += c;
    } else {
      result += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return result;
}

std::string band_text(const Finding& finding) {
  return finding.lower.empty() ? "" : "[" + finding.lower + ", " + finding.upper + "]";
}

/// The gap of the claimed quantity, in words for a table.
std::string short_gap(const Claim& claim, const Finding& finding) {
  const std::string& gap = claim.subject == Subject::renyi       ? finding.gap
                           : claim.quantity == Quantity::epsilon ? finding.gap_epsilon
                                                                 : finding.gap_delta;
  if (gap.empty() || gap == "inf" || finding.verdict == Verdict::undecided) return "";
  return (finding.verdict == Verdict::refuted ? "\u2265 " : "\u2264 ") + gap;
}

std::string cell(const char* css, const std::string& content) {
  return std::string("<td class=\"") + css + "\">" + content + "</td>";
}

std::string summary_table(const std::vector<Claim>& claims, const std::vector<Finding>& findings) {
  std::string html =
      "<section class=\"summary\" id=\"summary\" aria-labelledby=\"summary-title\">"
      "<h2 id=\"summary-title\">Summary</h2>"
      "<div class=\"scroll\" role=\"region\" aria-labelledby=\"summary-title\" tabindex=\"0\">"
      "<table><thead><tr><th scope=\"col\" class=\"number\">No.</th><th scope=\"col\">Verdict</th>"
      "<th scope=\"col\">Claim</th><th scope=\"col\">Claimed</th>"
      "<th scope=\"col\">Certified band</th><th scope=\"col\">Off by</th></tr></thead><tbody>\n";
  const std::string dash = "\u2013";
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Finding& finding = findings[i];
    html += "<tr>" + cell("number", std::to_string(i + 1)) +
            cell("verdict", badge(finding.verdict, words_of(finding.verdict))) +
            cell("id", "<a href=\"#" + anchor_of(i) + "\">" +
                           escaped(pictures::shortened(claims[i].id, longest_cell)) + "</a>") +
            cell("claimed", claims[i].adjacency ? in_parts(claim_text(claims[i]), " at ") : dash) +
            cell("band", finding.lower.empty() ? dash : in_parts(band_text(finding), ", ")) +
            cell("gap", escaped(short_gap(claims[i], finding))) + "</tr>\n";
  }
  return html + "</tbody></table></div></section>\n";
}

/// One line of the list of facts; `content` is HTML.
std::string fact(const char* name, const std::string& content) {
  return content.empty() ? "" : std::string("<dt>") + name + "</dt><dd>" + content + "</dd>";
}

std::string gap_fact(const char* name, Verdict verdict, const std::string& gap) {
  const bool decided = verdict != Verdict::undecided && verdict != Verdict::error;
  if (gap.empty() || gap == "inf" || !decided) return {};
  return fact(name, prose((verdict == Verdict::refuted ? "at least " : "at most ") + gap));
}

std::string witness_text(const Witness& witness) {
  std::string words = "direction " + witness.direction + ", delta(" + witness.epsilon + ")";
  if (!witness.delta_lower.empty()) words += " \u2265 " + witness.delta_lower;
  if (!witness.delta_upper.empty()) words += " \u2264 " + witness.delta_upper;
  words += ", claimed " + witness.claimed_delta + ". " + witness.event;
  if (!witness.attack.empty()) {
    words += ". That is the curve of two data sets of this mechanism, whose pair is that of " +
             witness.attack;
  }
  if (!witness.output_event.empty()) {
    words += ". As an event on the output: {" + witness.output_event + "} gives at least " +
             witness.output_delta_lower;
  }
  return words;
}

std::string certificate_text(const CertificateLink& link) {
  if (!link.refusal.empty()) return escaped("none: " + link.refusal);
  if (link.target.empty()) return {};
  const std::size_t slash = link.target.rfind('/');
  const std::string name = slash == std::string::npos ? link.target : link.target.substr(slash + 1);
  return "<a href=\"" + reference(link.target) + "\">" + escaped(name) + "</a>";
}

std::string article(const Claim& claim, const Finding& finding, std::size_t i,
                    const ReportDetails& details) {
  const Verdict verdict = finding.verdict;
  std::string picture;
  if (is_pictured(details.pictures, verdict)) {
    picture = finding_picture(claim, finding);
    if (!picture.empty() && !is_pictured(PictureChoice::notable, verdict)) {
      picture = "<details><summary>Picture</summary>" + picture + "</details>";
    }
  }
  std::string html = "<article id=\"" + anchor_of(i) + "\"><div class=\"head\"><h3>" +
                     std::to_string(i + 1) + ". " + escaped(claim.id) + "</h3>" +
                     badge(verdict, words_of(verdict)) + "</div><div class=\"body" +
                     (picture.empty() ? " alone" : "") + "\"><p>" +
                     prose(statement_text(claim, finding)) + "</p>" + picture;
  std::string facts;
  facts += fact("Certified band", prose(band_text(finding)));
  facts += gap_fact(claim.subject == Subject::renyi ? "Divergence off by" : "Off by", verdict,
                    finding.gap);
  facts += gap_fact("Epsilon off by", verdict, finding.gap_epsilon);
  facts += gap_fact("Delta off by", verdict, finding.gap_delta);
  facts += gap_fact("Relative to exact", verdict, finding.relative_gap);
  if (finding.witness) facts += fact("Witness", prose(witness_text(*finding.witness)));
  if (i < details.certificates.size()) {
    facts += fact("Certificate", certificate_text(details.certificates[i]));
  }
  if (finding.digits > 0) facts += fact("Digits", std::to_string(finding.digits));
  if (verdict != Verdict::error && verdict != Verdict::undecided) {
    facts += fact("Remark", prose(finding.reason));
  }
  facts += fact("Source", escaped(claim.source));
  if (!facts.empty()) html += "<dl>" + facts + "</dl>";
  return html + "</div></article>\n";
}

std::string head_of(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                    const ReportDetails& details) {
  const AuditSummary summary = summarise(findings);
  const auto written = std::count_if(
      details.certificates.begin(), details.certificates.end(),
      [](const CertificateLink& each) { return !each.target.empty() && each.refusal.empty(); });
  std::string facts = "plaudit " PLAUDIT_VERSION;
  if (!details.date.empty()) facts += " \u00b7 " + escaped(details.date);
  facts += " \u00b7 up to " + std::to_string(details.how.most_digits) + " digits and " +
           general_text(details.how.timeout_seconds, 6) + " s for each claim";
  if (written > 0) {
    facts += " \u00b7 " + std::to_string(written) +
             (written == 1 ? " certificate" : " certificates") + " beside this file";
  }
  return "<header><h1>Audit of " + std::to_string(claims.size()) +
         (claims.size() == 1 ? " claim" : " claims") + "</h1><p class=\"quiet\">" + facts +
         "</p><ul class=\"counts\">" + count(Verdict::refuted, summary.refuted) +
         count(Verdict::valid, summary.valid) + count(Verdict::tight, summary.tight) +
         count(Verdict::undecided, summary.undecided) +
         (summary.errors > 0 ? count(Verdict::error, summary.errors) : "") +
         "</ul><p>Every verdict is decided by certified bands: intervals that provably contain the "
         "exact number, rounded outward. A refuted claim is wrong by at least what is stated, a "
         "valid one is loose by at most that. Pictures show where the numbers are; they prove "
         "nothing.</p></header>\n";
}

std::string section_of(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                       const std::vector<std::size_t>& members, const std::string& curve,
                       const ReportDetails& details) {
  const Claim& first = claims[members[0]];
  std::string html = "<section class=\"run\"><header>";
  if (first.adjacency) {
    html += "<h2 class=\"code\">" + escaped(pictures::shortened(first.spec, longest_heading)) +
            "</h2><p class=\"quiet\">adjacency " + escaped(adjacency_text(first));
    if (first.direction != DirectionChoice::both) {
      html += first.direction == DirectionChoice::add ? ", direction add" : ", direction remove";
    }
    html += "</p>";
  } else {
    html += "<h2>Claims that could not be read</h2>";
  }
  html += "</header>";
  if (!curve.empty()) {
    html += "<figure>" + curve +
            "<figcaption>The line is the certified curve. Each mark is a claim, with its number in "
            "this report; the arrow from it is the gap.</figcaption></figure>";
  }
  html += "\n";
  for (const std::size_t i : members) html += article(claims[i], findings[i], i, details);
  return html + "</section>\n";
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

PictureChoice picture_choice(const std::string& words) {
  if (words == "none") return PictureChoice::none;
  if (words == "refuted") return PictureChoice::refuted;
  if (words == "notable") return PictureChoice::notable;
  if (words == "all") return PictureChoice::all;
  throw SpecError("pictures: must be none, refuted, notable or all, not " + abbreviated(words));
}

bool is_pictured(PictureChoice choice, Verdict verdict) {
  switch (choice) {
    case PictureChoice::none:
      return false;
    case PictureChoice::refuted:
      return verdict == Verdict::refuted;
    case PictureChoice::notable:
      return verdict != Verdict::valid && verdict != Verdict::error;
    case PictureChoice::all:
      break;
  }
  return verdict != Verdict::error;
}

std::vector<std::size_t> sections_with_curves(const std::vector<std::vector<std::size_t>>& sections,
                                              const std::vector<Finding>& findings,
                                              PictureChoice choice) {
  std::vector<std::size_t> chosen;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const bool any = std::any_of(sections[s].begin(), sections[s].end(), [&](std::size_t i) {
      return is_pictured(choice, findings[i].verdict);
    });
    if (any && (choice == PictureChoice::all || chosen.size() < most_curves)) chosen.push_back(s);
  }
  return chosen;
}

std::string html_report(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                        const ReportDetails& details) {
  std::string html = head_of(claims, findings, details) + summary_table(claims, findings);
  const auto sections = report_sections(claims, findings);
  for (std::size_t s = 0; s < sections.size(); ++s) {
    html += section_of(claims, findings, sections[s],
                       s < details.curves.size() ? details.curves[s] : std::string(), details);
  }
  return pictures::html_page("Audit: " + summary_text(summarise(findings)), html);
}

}  // namespace plaudit
