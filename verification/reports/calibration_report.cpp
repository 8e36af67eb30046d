#include "verification/reports/calibration_report.hpp"

#include <nlohmann/json.hpp>

#include "accountants/session/band_of.hpp"
#include "mechanisms/language/spec.hpp"

namespace plaudit {

namespace {

Json value_json(const std::optional<CalibrationEnd>& end) {
  return end ? Json(to_string(end->value)) : Json(nullptr);
}

}  // namespace

std::string target_name(const CalibrationQuestion& question) {
  return "target_" + name_of(question.target);
}

const Rational& target_of(const CalibrationQuestion& question) {
  return question.target == Quantity::epsilon ? question.epsilon : question.delta;
}

const Rational& argument_of(const CalibrationQuestion& question) {
  return question.target == Quantity::epsilon ? question.delta : question.epsilon;
}

BandOf of_failure(const Calibration& found) {
  return found.fails ? band_of(parse_spec(found.fails->spec), NumberOf::curve) : BandOf{};
}

Json json_report(const CalibrationQuestion& question, const Calibration& found, int digits) {
  Json report = {
      {"plaudit", PLAUDIT_VERSION},
      {"spec", question.spec},
      {"query",
       {{target_name(question), to_string(target_of(question))},
        {argument_name(question.target), to_string(argument_of(question))}}},
      {"quantity", "calibration"},
      {"parameter", found.parameter.name},
      {"mechanism", found.parameter.mechanism},
      {"integer", found.parameter.integer},
      {"theorem", found.parameter.theorem},
  };
  put_adjacency(report, found.adjacency);
  const std::string at = name_of(question.target) + "_at_";
  report["suffices"] = value_json(found.suffices);
  report["fails"] = value_json(found.fails);
  for (const auto& [name, end] :
       {std::pair{"suffices", &found.suffices}, std::pair{"fails", &found.fails}}) {
    if (*end) report[at + name] = ends_json((*end)->answer.band, digits);
  }
  if (found.none_meets && found.fails) {
    report["best_attainable"] = {
        {found.parameter.name, to_string(found.fails->value)},
        {name_of(question.target), ends_json(found.fails->answer.band, digits)}};
  }
  if (found.suffices) report["spec_that_suffices"] = found.suffices->spec;
  if (found.fails) report["spec_that_fails"] = found.fails->spec;
  put_band_of(report, of_failure(found), digits);
  report["certified"] = true;
  if (!found.trusted.empty()) report["trusted"] = found.trusted;
  report["reached"] = found.reached;
  report["digits"] = digits;
  report["accountant"] = found.accountant;
  if (!found.remark.empty()) report["remark"] = found.remark;
  report["queries"] = found.queries;
  report["seconds"] = found.seconds;
  return report;
}

}  // namespace plaudit
