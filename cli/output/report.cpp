#include "cli/output/report.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "accountants/registry.hpp"
#include "accountants/session/band_of.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/table.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::cli {

namespace {

constexpr int width_digits = 3;
constexpr std::size_t longest_attack = 400;

std::string accountant_text(const Enclosure& band) {
  return band.accountant + (band.method.empty() ? "" : " (" + band.method + ")");
}

void print_ledger(std::ostream& out, const DirectionAnswer& direction) {
  out << "\nerror terms, " << plaudit::name_of(direction.direction)
      << " (upper bounds in units of delta), by " << accountant_text(direction.band) << '\n';
  std::vector<std::vector<std::string>> rows{{"term", "size", "theorem"}};
  for (const Ledger::Entry& entry : direction.band.ledger.entries()) {
    rows.push_back({entry.name, size_text(entry.size), entry.theorem});
  }
  if (rows.size() == 1) rows.push_back({"none but rounding, which the ends contain"});
  print_table(out, rows, 2);
}

}  // namespace

namespace {

constexpr int quoted_digits = 5;  ///< of the ends in quoted_line()
/// A band narrower than this, in units of its upper end, is quoted by that end alone.
const Rational narrow(1, 10'000);
/// Numbers known exactly are quoted so where they are not longer than this.
constexpr std::size_t longest_quoted = 12;

/// Whether an accountant said it that bounds no error.
bool is_estimate(const Enclosure& band) {
  return !band.certified && !band.accountant.empty() &&
         accountant(band.accountant)->estimates_only();
}

std::string certainty_of(const Enclosure& band) {
  if (!band.trusted.empty()) return ", certified if the claims of " + band.trusted + " are true";
  if (is_estimate(band)) return ", an estimate: NOT certified";
  return band.certified ? ", certified" : ", claimed: NOT certified";
}

}  // namespace

std::string width_text(const Enclosure& band) {
  if (band.exact) return "0";
  const bool both_infinite = !band.lower.is_finite() && !band.upper.is_finite();
  return both_infinite ? "0" : decimal_above(band.upper - band.lower, width_digits);
}

std::string time_text(double seconds) {
  char text[32];
  if (seconds < 1) {
    std::snprintf(text, sizeof text, "%.3g ms", 1000 * seconds);
  } else {
    std::snprintf(text, sizeof text, "%.3g s", seconds);
  }
  return text;
}

std::string adjacency_line(const Adjacency& adjacency) {
  const bool of_data = adjacency.kind == Adjacency::this_data_set;
  return "adjacency " + to_text(adjacency) +
         (adjacency.guarantee ? ""
          : of_data           ? ": a statement about this data set only"
                              : ": a statement about this pair of laws only") +
         (adjacency.reading.empty() ? "" : "; " + adjacency.reading);
}

std::string ends_text(const BandOf& of) {
  if (of.mechanism) return "both ends bound the mechanism: " + of.why;
  if (of.attained == Attained::no_pair) return "lower ends are the trivial ones: " + of.why;
  return "lower ends are those of the dominating pair alone: " + of.why;
}

std::string lines_of(const BandOf& of, const std::string& quantity, int digits) {
  if (of.why.empty()) return "";
  if (of.mechanism) return "  both ends bound the mechanism: " + of.why + '\n';
  if (of.attained == Attained::no_pair)
    return "  the lower end is the trivial one: " + of.why + '\n';
  std::string text = "  the lower end is that of the dominating pair alone: " + of.why + '\n';
  if (of.attack && certainly_positive(of.attack->band.lower)) {
    text += "  of the mechanism " + quantity + " >= " + lower_text(of.attack->band, digits) +
            ", by the pair of two data sets " + abbreviated(of.attack->spec, longest_attack) + '\n';
  } else {
    text += "  of the mechanism no lower end but 0 is known here\n";
  }
  return text;
}

std::string adjacency_cells(const Adjacency& adjacency) {
  std::string kind = printable(adjacency.kind);
  if (kind.find_first_of(",\"\r\n") != std::string::npos) {  // RFC 4180
    std::string quoted = "\"";
    for (const char c : kind) quoted += c == '"' ? "\"\"" : std::string(1, c);
    kind = quoted + '"';
  }
  return kind + ',' + std::to_string(adjacency.group_size()) + ',' +
         (adjacency.guarantee ? "true" : "false");
}

std::string quoted_line(const Question& question, const Answer& answer) {
  const std::string upper = decimal_above(answer.band, quoted_digits);
  const Enclosure band = of_mechanism(answer).band;
  const std::string quantity = name_of(question.quantity);
  const std::string lower = decimal_below(band, quoted_digits);
  const bool of_run = question.bound.empty();
  const bool known_lower = of_run && certainly_less(Ball(0), band.lower);
  std::string line;
  if (band.exact && of_run && answer.of.mechanism &&
      to_string(*band.exact).size() <= longest_quoted) {
    line = quantity + " = " + to_string(*band.exact);
  } else if (!band.lower.is_finite()) {
    line = quantity + " = " + lower;
  } else if (is_estimate(band)) {
    line = quantity + " is about " + upper;
  } else if (!band.upper.is_finite()) {
    line = known_lower ? quantity + " >= " + lower : "no upper bound of " + quantity + " was found";
  } else if (known_lower &&
             !certainly_less_equal(band.upper - band.lower, band.upper * Ball(narrow))) {
    line = lower + " <= " + quantity + " <= " + upper;
  } else {
    line = quantity + " <= " + upper;
  }
  line += " at " + argument_name(question.quantity) + " = " + to_string(question.argument) +
          certainty_of(band);
  if (answer.directions.size() == 1) {
    line += ", direction " + std::string(plaudit::name_of(answer.directions.front().direction));
  }
  return line + words_without_guarantee(question.adjacency);
}

void text_report(std::ostream& out, const Question& question, const Answer& answer, bool explain) {
  const std::string quantity = name_of(question.quantity);
  out << quoted_line(question, answer) << "\n\n"
      << question.spec << '\n'
      << adjacency_line(question.adjacency) << '\n';
  if (!question.bound.empty()) out << question.bound << ": only upper ends hold for the run\n";
  out << '\n';

  std::vector<std::vector<std::string>> rows{{"", "lower", "upper"}};
  const auto row = [&](const std::string& name, const Enclosure& band) {
    rows.push_back({name, lower_text(band, question.digits), upper_text(band, question.digits)});
  };
  row(quantity, answer.band);
  for (const DirectionAnswer& direction : answer.directions) {
    row(std::string("  ") + std::string(plaudit::name_of(direction.direction)), direction.band);
  }
  print_table(out, rows, 2);

  out << "\n  by " << accountant_text(answer.band) << " in " << time_text(answer.seconds) << '\n';
  if (answer.band.certified) out << lines_of(answer.of, quantity, question.digits);
  if (!answer.reached) {
    out << "  the wanted width of " << answer.digits << " digits was not reached"
        << (answer.band.remark.empty() ? "" : ": " + answer.band.remark) << '\n';
  } else if (!answer.band.remark.empty()) {
    out << "  " << answer.band.remark << '\n';
  }
  if (explain) {
    for (const DirectionAnswer& direction : answer.directions) print_ledger(out, direction);
  }
}

}  // namespace plaudit::cli
