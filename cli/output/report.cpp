#include "cli/output/report.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/output/table.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/decimal.hpp"

namespace plaudit::cli {

namespace {

/// Digits shown beyond those asked for, so that the width of the band can be seen.
constexpr int guard_digits = 4;
constexpr int size_digits = 3;
/// Exact values with longer denominators are shown by their digits only.
constexpr std::size_t longest_exact_bits = 4096;

std::string size_text(const Ball& size) { return decimal_above(size, size_digits); }

/// aliasing, truncation, quadrature and rounding are the classes of the interface: the part of a
/// term's name after the last dot. Any other term stands under its own name.
std::string class_of(const std::string& term) {
  const std::string last = term.substr(term.rfind('.') + 1);
  for (const char* known : {"aliasing", "truncation", "quadrature", "rounding"}) {
    if (last == known) return last;
  }
  return term;
}

Json errors_json(const Ledger& ledger) {
  std::vector<std::pair<std::string, Ball>> sums;
  for (const char* name : {"aliasing", "truncation", "quadrature", "rounding"}) {
    sums.emplace_back(name, 0);
  }
  for (const Ledger::Entry& entry : ledger.entries()) {
    const std::string name = class_of(entry.name);
    auto place = sums.begin();
    while (place != sums.end() && place->first != name) ++place;
    if (place == sums.end()) place = sums.insert(sums.end(), {name, Ball(0)});
    place->second = (place->second + entry.size).upper();
  }
  Json errors = Json::object();
  for (const auto& [name, size] : sums) errors[name] = size_text(size);
  return errors;
}

Json ledger_json(const DirectionAnswer& direction) {
  Json entries = Json::array();
  for (const Ledger::Entry& entry : direction.band.ledger.entries()) {
    entries.push_back(
        {{"term", entry.name}, {"size", size_text(entry.size)}, {"theorem", entry.theorem}});
  }
  return entries;
}

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

std::string certainty_of(const Enclosure& band) {
  if (!band.trusted.empty()) return ", certified if the claims of " + band.trusted + " are true";
  return band.certified ? ", certified" : ", estimated or claimed: NOT certified";
}

}  // namespace

std::string printed(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace);
}

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string name_of(Quantity quantity) {
  return quantity == Quantity::epsilon ? "epsilon" : "delta";
}

std::string argument_name(Quantity quantity) {
  return quantity == Quantity::epsilon ? "delta" : "epsilon";
}

std::string lower_text(const Enclosure& band, int digits) {
  return decimal_below(band, digits + guard_digits);
}

std::string upper_text(const Enclosure& band, int digits) {
  return decimal_above(band, digits + guard_digits);
}

std::string width_text(const Enclosure& band) {
  if (band.exact) return "0";
  const bool both_infinite = !band.lower.is_finite() && !band.upper.is_finite();
  return both_infinite ? "0" : decimal_above(band.upper - band.lower, size_digits);
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

void put_adjacency(Json& report, const Adjacency& adjacency) {
  report["adjacency"] = adjacency.kind;
  report["group_size"] = adjacency.group_size();
  if (!adjacency.guarantee) report["guarantee"] = false;
}

std::string adjacency_line(const Adjacency& adjacency) {
  return "adjacency " + to_text(adjacency) +
         (adjacency.guarantee ? "" : ": a statement about this pair of laws only");
}

Json json_report(const Question& question, const Answer& answer, bool explain) {
  const auto ends = [&](const Enclosure& band) {
    return Json{{"lower", lower_text(band, question.digits)},
                {"upper", upper_text(band, question.digits)}};
  };
  Json report = {
      {"plaudit", PLAUDIT_VERSION},
      {"spec", question.spec},
      {"query", {{argument_name(question.quantity), to_string(question.argument)}}},
      {"quantity", name_of(question.quantity)},
  };
  put_adjacency(report, question.adjacency);
  report.update(ends(answer.band));
  if (answer.band.exact && msb(denominator(*answer.band.exact)) < longest_exact_bits) {
    report["exact"] = to_string(*answer.band.exact);
  }
  report["certified"] = answer.band.certified;
  if (!answer.band.trusted.empty()) report["trusted"] = answer.band.trusted;
  report["reached"] = answer.reached;
  report["digits"] = question.digits;
  report["accountant"] = answer.band.accountant;
  report["method"] = answer.band.method;
  if (!answer.band.remark.empty()) report["remark"] = answer.band.remark;
  report["directions"] = Json::object();
  for (const DirectionAnswer& direction : answer.directions) {
    Json entry = ends(direction.band);
    entry["accountant"] = direction.band.accountant;
    if (explain) entry["ledger"] = ledger_json(direction);
    report["directions"][std::string(plaudit::name_of(direction.direction))] = std::move(entry);
  }
  report["errors"] = errors_json(answer.band.ledger);
  report["seconds"] = answer.seconds;
  return report;
}

void text_report(std::ostream& out, const Question& question, const Answer& answer, bool explain) {
  const std::string quantity = name_of(question.quantity);
  out << question.spec << '\n'
      << quantity << " at " << argument_name(question.quantity) << " = "
      << to_string(question.argument) << certainty_of(answer.band) << '\n'
      << adjacency_line(question.adjacency) << "\n\n";

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
  if (!answer.reached) {
    out << "  the wanted width of " << question.digits << " digits was not reached"
        << (answer.band.remark.empty() ? "" : ": " + answer.band.remark) << '\n';
  }
  if (explain) {
    for (const DirectionAnswer& direction : answer.directions) print_ledger(out, direction);
  }
}

}  // namespace plaudit::cli
