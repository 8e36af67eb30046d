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

std::string quantity_of(const CalibrationQuestion& question) {
  if (!question.tests) return name_of(question.target);
  return question.tests->kind == TestTarget::Kind::advantage ? "advantage"
         : question.tests->kind == TestTarget::Kind::mu      ? "mu"
                                                             : "tpr";
}

const Rational& target_of(const CalibrationQuestion& question) {
  if (question.tests) return question.tests->most;
  return question.target == Quantity::epsilon ? question.epsilon : question.delta;
}

std::optional<std::pair<std::string, Rational>> argument_of(const CalibrationQuestion& question) {
  if (!question.tests) {
    return std::pair(argument_name(question.target),
                     question.target == Quantity::epsilon ? question.delta : question.epsilon);
  }
  if (question.tests->kind != TestTarget::Kind::true_positive_rate) return std::nullopt;
  return std::pair(std::string("fpr"), question.tests->fpr);
}

BandOf of_failure(const CalibrationQuestion& question, const Calibration& found) {
  if (!found.fails) return {};
  return band_of(parse_spec(found.fails->spec),
                 question.asks_tests() ? NumberOf::law : NumberOf::curve);
}

Json json_report(const CalibrationQuestion& question, const Calibration& found,
                 const AnswerOptions& options) {
  const int digits = options.digits;
  Json report = {
      {"plaudit", PLAUDIT_VERSION},
      {"spec", question.spec},
      {"query", {{"target_" + quantity_of(question), to_string(target_of(question))}}},
      {"quantity", "calibration"},
      {"parameter", found.parameter.name},
      {"mechanism", found.parameter.mechanism},
      {"integer", found.parameter.integer},
      {"theorem", found.parameter.theorem},
  };
  if (const auto argument = argument_of(question)) {
    report["query"][argument->first] = to_string(argument->second);
  }
  if (options.direction != DirectionChoice::both) {
    report["query"]["direction"] = name_of(options.direction);
  }
  if (question.from) report["query"]["from"] = to_string(*question.from);
  if (question.to) report["query"]["to"] = to_string(*question.to);
  put_adjacency(report, found.adjacency);
  const std::string at = quantity_of(question) + "_at_";
  report["suffices"] = value_json(found.suffices);
  report["fails"] = value_json(found.fails);
  for (const auto& [name, end] :
       {std::pair{"suffices", &found.suffices}, std::pair{"fails", &found.fails}}) {
    if (*end) report[at + name] = ends_json((*end)->answer.band, digits);
  }
  if (found.none_meets && found.fails) {
    report["best_attainable"] = {
        {found.parameter.name, to_string(found.fails->value)},
        {quantity_of(question), ends_json(found.fails->answer.band, digits)}};
  }
  if (found.suffices) report["spec_that_suffices"] = found.suffices->spec;
  if (found.fails) report["spec_that_fails"] = found.fails->spec;
  put_band_of(report, of_failure(question, found), digits);
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
