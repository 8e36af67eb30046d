#include "verification/reports/answer_report.hpp"

#include <nlohmann/json.hpp>

#include "accountants/proof/evidence.hpp"
#include "lib/balls/decimal.hpp"
#include "verification/reports/stopped_by.hpp"

namespace plaudit {

namespace {

constexpr int size_digits = 3;
/// Exact values with longer denominators are shown by their digits only.
constexpr std::size_t longest_exact_bits = 4096;

/// aliasing, truncation, quadrature and rounding are the classes of the interface: the part of a
/// term's name after the last dot. Any other term stands under its own name.
std::string class_of(const std::string& term) {
  std::string last = term.substr(term.rfind('.') + 1);
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

// What proves the ends again: the kind of proof, as certificates call it, and its nodes.
Json json_of(const proof::AtomsChoices&) { return {{"kind", "atoms"}}; }
Json json_of(const proof::HyperbolaChoices& choices) {
  return {{"kind", "bent"}, {"nodes", choices.per_arc * choices.arcs}};
}
Json json_of(const proof::LaplaceChoices&) { return {{"kind", "laplace"}}; }
Json json_of(const proof::LatticeChoices&) { return {{"kind", "lattice"}}; }
Json json_of(const proof::LineChoices& choices) {
  return {{"kind", choices.log_moved ? "cut" : "straight"}, {"nodes", choices.nodes}};
}
Json json_of(const proof::MomentChoices&) { return {{"kind", "moments"}}; }
Json json_of(const proof::PinchChoices& choices) {
  return {{"kind", "pinch"}, {"nodes", choices.nodes}};
}
Json json_of(const proof::ThresholdChoices&) { return {{"kind", "threshold"}}; }

void put_proof(Json& report, const Enclosure& band) {
  if (!band.evidence) return;
  Json proof =
      std::visit([](const auto& choices) { return json_of(choices); }, band.evidence->choices);
  proof["bits"] = band.evidence->bits;
  report["proof"] = std::move(proof);
}

void put_tried(Json& report, const AskedAccountants& asked) {
  Json tried = Json::array();
  for (const auto& [accountant, end] : asked.ends()) {
    tried.push_back(
        {{"accountant", accountant}, {"stopped", end == AskedAccountants::End::stopped}});
  }
  if (!tried.empty()) report["tried"] = std::move(tried);
}

Json ledger_json(const DirectionAnswer& direction) {
  Json entries = Json::array();
  for (const Ledger::Entry& entry : direction.band.ledger.entries()) {
    entries.push_back(
        {{"term", entry.name}, {"size", size_text(entry.size)}, {"theorem", entry.theorem}});
  }
  return entries;
}

}  // namespace

std::string size_text(const Ball& size) { return decimal_above(size, size_digits); }

Json json_report(const Question& question, const Answer& answer, bool explain) {
  const auto ends = [&](const Enclosure& band) { return ends_json(band, question.digits); };
  Json report = report_head(question.spec, question.quantity, question.argument);
  put_adjacency(report, question.adjacency);
  report.update(ends(answer.band));
  if (answer.band.exact && msb(denominator(*answer.band.exact)) < longest_exact_bits) {
    report["exact"] = to_string(*answer.band.exact);
  }
  report["certified"] = answer.band.certified;
  if (!answer.band.trusted.empty()) report["trusted"] = answer.band.trusted;
  report["reached"] = answer.reached;
  report["digits"] = answer.digits;
  if (const auto there = digits_reached(answer.band)) report["digits_reached"] = *there;
  report["accountant"] = answer.band.accountant;
  report["method"] = answer.band.method;
  if (!question.bound.empty()) report["bound"] = question.bound;
  if (!answer.band.remark.empty()) report["remark"] = answer.band.remark;
  if (answer.band.certified) put_band_of(report, answer.of, question.digits);
  put_cause(report, answer.band.cause);
  put_proof(report, answer.band);
  report["directions"] = Json::object();
  for (const DirectionAnswer& direction : answer.directions) {
    Json entry = ends(direction.band);
    entry["accountant"] = direction.band.accountant;
    put_cause(entry, direction.band.cause);
    put_tried(entry, direction.asked);
    if (explain) entry["ledger"] = ledger_json(direction);
    report["directions"][std::string(plaudit::name_of(direction.direction))] = std::move(entry);
  }
  report["errors"] = errors_json(answer.band.ledger);
  report["seconds"] = answer.seconds;
  return report;
}

}  // namespace plaudit
