#include "verification/reports/run_report.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/session/band_of.hpp"
#include "lib/constants.hpp"
#include "verification/pictures/curve_picture.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/pictures/page.hpp"

namespace plaudit {

namespace {

using pictures::escaped;
using pictures::markdown;
constexpr double wide_picture = 720;
constexpr double narrow_picture = 340;
constexpr int digits_of_summary = 5;  ///< of the epsilon in the first sentence
constexpr int digits_of_tables = 6;
constexpr std::size_t longest_embedded = 500'000;
/// Of what is not broken in a cell of a table, in characters.
constexpr std::size_t longest_number = 40;
constexpr std::size_t longest_word = 20;

/// A table and what stands around it, for either format.
using Row = std::vector<std::string>;

std::string lower_end(const Answer& answer, int digits) {
  return decimal_below(answer.band, digits);
}
std::string upper_end(const Answer& answer, int digits) {
  return decimal_above(answer.band, digits);
}

std::string title_of(const RunFacts& facts) { return "Privacy of " + facts.spec; }

/// "epsilon <= 2.0859 at delta = 1e-7"
std::string sentence_of(const RunFacts& facts) {
  const Enclosure& band = facts.epsilon.band;
  const std::string what = band.upper.is_finite()
                               ? "epsilon <= " + upper_end(facts.epsilon, digits_of_summary)
                           : band.lower.is_finite() ? "no upper bound of epsilon was found"
                                                    : "epsilon is not bounded";
  return what + " at delta = " + to_string(facts.delta) +
         (!band.trusted.empty() ? ", certified if the claims of " + band.trusted + " are true"
          : band.certified      ? ", certified"
                                : ", NOT certified") +
         words_without_guarantee(facts.adjacency);
}

std::string certified_words(const RunFacts& facts) {
  const BandOf& of = facts.epsilon.of;
  const std::string pair = of.mechanism ? "" : " of the dominating pair";
  std::string attack;
  if (!of.mechanism) {
    attack =
        " The upper end bounds the run; the lower end is that of the pair alone: " + of.why + ".";
    if (of.attack) {
      attack += " Of the run itself epsilon is at least " +
                lower_text(of.attack->band, facts.digits) +
                ", by the pair of two data sets, which is that of " + of.attack->spec + ".";
    }
  }
  return "The exact epsilon" + pair + " lies between " +
         lower_text(facts.epsilon.band, facts.digits) + " and " +
         upper_text(facts.epsilon.band, facts.digits) +
         ". Both ends are proven for the exact parameters and rounded outward." + attack +
         (facts.bound.empty() ? ""
                              : " The run is only bounded by this spec (" + facts.bound +
                                    "): the attackers' ends hold for it, the others do not.");
}

std::string words_of(const RateQuestion& question) {
  const auto fpr = [&] { return to_string(*question.fpr); };
  if (question.quantity == "advantage") {
    return "Advantage: the greatest true positive rate less the false positive rate";
  }
  if (question.quantity == "success") {
    return "Right guesses whether the record is there, where that has the probability " +
           to_string(*question.prior);
  }
  if (question.quantity == "true_positive_rate") {
    return "True positive rate at a false positive rate of " + fpr();
  }
  return "Claims that are right, at a prior of " + to_string(*question.prior) +
         " and a false positive rate of at least " + fpr();
}

std::vector<Row> rows_of_steps(const RunFacts& facts) {
  std::vector<Row> rows{{"times", "mechanism", "what it is", "why its pair dominates"}};
  for (const RunFacts::Step& step : facts.steps) {
    rows.push_back({std::to_string(step.count), step.spec, step.summary, step.theorem});
  }
  return rows;
}

std::vector<Row> rows_of_directions(const RunFacts& facts) {
  std::vector<Row> rows{{"direction", "lower", "upper", "accountant"}};
  for (const DirectionAnswer& one : facts.epsilon.directions) {
    rows.push_back({std::string(name_of(one.direction)), lower_text(one.band, facts.digits),
                    upper_text(one.band, facts.digits), one.band.accountant});
  }
  return rows;
}

std::vector<Row> rows_of_rates(const RunFacts& facts) {
  std::vector<Row> rows{{"no attacker exceeds", "lower", "upper"}};
  for (const RunFacts::Rate& rate : facts.rates) {
    // An attacker of the run, where there is one: the lower end of a pair alone is nobody's.
    rows.push_back({words_of(rate.question), lower_end(of_mechanism(rate.answer), digits_of_tables),
                    upper_end(rate.answer, digits_of_tables)});
  }
  return rows;
}

std::vector<Row> rows_of_points(const std::vector<RunFacts::At>& points,
                                const std::string& argument, const std::string& value) {
  std::vector<Row> rows{{argument, value + " lower", value + " upper"}};
  for (const RunFacts::At& point : points) {
    rows.push_back({to_string(point.argument), lower_end(point.answer, digits_of_tables),
                    upper_end(point.answer, digits_of_tables)});
  }
  return rows;
}

std::vector<Row> rows_of_theorems(const RunFacts& facts) {
  std::vector<Row> rows{{"number", "theorem"}};
  rows.push_back({"epsilon, by " + facts.epsilon.band.accountant, facts.accountant_theorem});
  for (const DirectionAnswer& one : facts.epsilon.directions) {
    for (const Ledger::Entry& entry : one.band.ledger.entries()) {
      rows.push_back(
          {"error term " + entry.name + ", " + std::string(name_of(one.direction)), entry.theorem});
    }
  }
  rows.push_back({"epsilon from the curve", "docs/proofs/inversion.md#crossing"});
  rows.push_back({"trade-off, true positive rates", "docs/proofs/tradeoff.md#two-sides"});
  rows.push_back({"advantage", "docs/proofs/tradeoff.md#advantage"});
  rows.push_back({"right guesses", "docs/proofs/tradeoff.md#bayes"});
  rows.push_back({"claims that are right", "docs/proofs/tradeoff.md#predictive-value"});
  return rows;
}

pictures::CurvePicture picture_of(const RunFacts& facts, pictures::CurveKind kind,
                                  const std::vector<RunFacts::At>& points) {
  pictures::CurvePicture picture{
      kind, facts.spec, "adjacency " + to_text(facts.adjacency), true, {}};
  const bool logarithmic = kind == pictures::CurveKind::delta_over_epsilon;
  for (const RunFacts::At& point : points) {
    const auto height = [&](const Ball& x) {
      return logarithmic ? x.estimate_log() / log_ten : x.estimate();
    };
    picture.points.push_back({estimate(point.argument), height(point.answer.band.lower),
                              height(point.answer.band.upper)});
    picture.certified = picture.certified && point.answer.band.certified;
  }
  return picture;
}

std::string figure_of(const pictures::CurvePicture& picture, const std::string& caption) {
  if (picture.points.empty()) return "<p>There was no time to draw this.</p>";
  return "<figure>" + pictures::curve_inlined(picture, wide_picture, "wide") +
         pictures::curve_inlined(picture, narrow_picture, "narrow") + "<figcaption>" + caption +
         "</figcaption></figure>";
}

/// The text of a cell: a number stays on one line, and so does every short word. Other words may be
/// broken anywhere, so that a table is no wider than it must be.
std::string html_cell(const std::string& text) {
  std::string html;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const bool number = word.find_first_not_of("0123456789.e+-/") == std::string::npos;
    const bool whole = word.size() <= (number ? longest_number : longest_word);
    const char* css = !whole ? "long" : word.find_first_of("-/|") != word.npos ? "whole" : "";
    html += *css != 0 ? std::string("<span class=\"") + css + "\">" + escaped(word) + "</span>"
                      : escaped(word);
    if (end < text.size()) html += ' ';
    at = end + 1;
  }
  return html;
}

std::string html_table(const std::vector<Row>& rows, const std::string& name) {
  std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                     escaped(name) + "\"><table><thead><tr>";
  for (const std::string& cell : rows.front()) html += "<th>" + escaped(cell) + "</th>";
  html += "</tr></thead><tbody>";
  for (std::size_t i = 1; i < rows.size(); ++i) {
    html += "<tr>";
    for (const std::string& cell : rows[i]) html += "<td>" + html_cell(cell) + "</td>";
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string html_section(const std::string& title, const std::string& body) {
  return "<section class=\"run\"><header><h2>" + escaped(title) + "</h2></header>" + body +
         "</section>\n";
}

std::string article_of(const std::string& body) { return "<article>" + body + "</article>"; }

std::string markdown_table(const std::vector<Row>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& cell : rows[i]) text += "| " + markdown(cell) + ' ';
    text += "|\n";
    if (i > 0) continue;
    for (std::size_t k = 0; k < rows[i].size(); ++k) text += "|---";
    text += "|\n";
  }
  return text;
}

constexpr const char* attack_words =
    "Whoever sees all outputs of the run, and knows all records but one, tests whether that record "
    "is there. Where both directions are asked, each number is that of the one who does better.";
constexpr const char* check_words =
    "This proves the epsilon, or a wider band, again: saved as a file, `plaudit check FILE` does "
    "so "
    "with code of its own.";

std::string certificate_words(const RunFacts& facts) {
  const bool too_long = facts.certificate.size() > longest_embedded;
  if (facts.certificate.empty() || too_long) {
    return "No certificate is attached" +
           (too_long ? std::string(": it is too long; `plaudit epsilon --certificate` writes it")
                     : ": " + facts.certificate_remark) +
           ".";
  }
  return check_words +
         (facts.certificate_remark.empty() ? "" : ' ' + facts.certificate_remark + '.');
}

bool has_certificate(const RunFacts& facts) {
  return !facts.certificate.empty() && facts.certificate.size() <= longest_embedded;
}

}  // namespace

std::string html_of(const RunFacts& facts) {
  std::string html = "<header><h1>" + escaped(sentence_of(facts)) + "</h1><p class=\"code\">" +
                     escaped(facts.spec) + "</p><p class=\"quiet\">adjacency " +
                     escaped(to_text(facts.adjacency)) +
                     "; plaudit " PLAUDIT_VERSION "</p></header>\n";
  html +=
      html_section("What was run", article_of(html_table(rows_of_steps(facts), "what was run")));
  html += html_section(
      "Epsilon",
      article_of("<p>" + escaped(certified_words(facts)) + "</p>") +
          article_of(html_table(rows_of_directions(facts), "epsilon")) +
          figure_of(picture_of(facts, pictures::CurveKind::delta_over_epsilon, facts.curve),
                    "delta over epsilon, by whichever direction is the larger."));
  html += html_section(
      "What attackers can reach",
      article_of("<p>" + escaped(attack_words) + "</p>") +
          article_of(html_table(rows_of_rates(facts), "attackers")) +
          figure_of(picture_of(facts, pictures::CurveKind::trade_off, facts.trade_off),
                    "The trade-off function: no test has a smaller false negative rate."));
  html += html_section("Theorems", article_of(html_table(rows_of_theorems(facts), "theorems")));
  std::string certificate = article_of("<p>" + escaped(certificate_words(facts)) + "</p>");
  if (has_certificate(facts)) {
    certificate +=
        article_of("<details><summary>Certificate</summary><pre class=\"code certificate\">" +
                   escaped(facts.certificate) + "</pre></details>");
  }
  return pictures::html_page(title_of(facts), html + html_section("Certificate", certificate));
}

std::string markdown_of(const RunFacts& facts) {
  std::string text = "# " + markdown(sentence_of(facts)) + "\n\n    " + facts.spec +
                     "\n\nadjacency " + markdown(to_text(facts.adjacency)) +
                     "; plaudit " PLAUDIT_VERSION "\n\n";
  text += "## What was run\n\n" + markdown_table(rows_of_steps(facts));
  text += "\n## Epsilon\n\n" + markdown(certified_words(facts)) + "\n\n" +
          markdown_table(rows_of_directions(facts)) + '\n' +
          markdown_table(rows_of_points(facts.curve, "epsilon", "delta"));
  text +=
      "\n## What attackers can reach\n\n" + std::string(attack_words) + "\n\n" +
      markdown_table(rows_of_rates(facts)) + '\n' +
      markdown_table(rows_of_points(facts.trade_off, "false positive rate", "false negative rate"));
  text += "\n## Theorems\n\n" + markdown_table(rows_of_theorems(facts));
  text += "\n## Certificate\n\n" + certificate_words(facts) + '\n';
  if (has_certificate(facts)) text += "\n```json\n" + facts.certificate + "\n```\n";
  return text;
}

}  // namespace plaudit
