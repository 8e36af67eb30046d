#include "verification/reports/observation_report.hpp"

#include <nlohmann/json.hpp>

#include "lib/balls/decimal.hpp"
#include "verification/reports/stopped_by.hpp"

namespace plaudit {

namespace {

constexpr int digits_of_p_values = 4;

Json json_of_p_value(const ObservedPValue& p_value) {
  return {{"lower", decimal_below(p_value.lower, digits_of_p_values)},
          {"upper", decimal_above(p_value.upper, digits_of_p_values)}};
}

void put_from_counts(Json& json, const FromCounts& found, const std::vector<Rational>& deltas,
                     int digits) {
  json["corners"] = Json::array({{{"fpr_upper", decimal_above(found.fpr, digits)},
                                  {"tpr_lower", decimal_below(1 - found.fnr, digits)}}});
  json["epsilon_lower"] = Json::array();
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    json["epsilon_lower"].push_back(
        {{"delta", to_string(deltas[i])}, {"lower", decimal_below(found.epsilons[i], digits)}});
  }
  json["mu_lower"] = decimal_below(found.mu, digits);
}

Json numerator_of_limit(const Rational& limit) {
  return numerator(limit * Rational(limit_denominator())).str();
}

}  // namespace

std::vector<std::string> observation_assumptions(const Adjacency& adjacency, bool split) {
  std::vector<std::string> words{
      "the runs are independent of each other; those of one kind have the same law",
      split ? "the test was fixed before these runs, or by other runs alone, and so was the seed; "
              "the order "
              "of the lines does not depend on the scores, or the seed was drawn at random"
            : "the test and its threshold were fixed before these runs, or by other runs alone",
      "the test sees what a run releases, and nothing of its random choices"};
  if (!adjacency.guarantee) {
    words.emplace_back("with and without the record means: the two laws of the stated pair");
    return words;
  }
  const std::uint64_t group = adjacency.group_size();
  words.push_back(
      "with and without the record means: two data sets that are neighbours under "
      "adjacency " +
      adjacency.kind + (group == 1 ? "" : ", in groups of " + std::to_string(group)) +
      ", the same two in all runs or drawn anew for each by one rule");
  return words;
}

Json json_report(const ObservedRun& run, const ObserveQuestion& question,
                 const Observation& observation, int digits) {
  Json report = {{"plaudit", PLAUDIT_VERSION}, {"spec", run.spec}, {"quantity", "observation"}};
  put_adjacency(report, run.adjacency);
  report["digits"] = digits;
  if (!run.bound.empty()) report["bound"] = run.bound;
  report["design"] = "runs";
  report["counts"] = {{"true_positives", run.counts.true_positives},
                      {"with_record", run.counts.with_record},
                      {"false_positives", run.counts.false_positives},
                      {"without_record", run.counts.without_record}};
  if (run.split) {
    report["split"] = {{"seed", run.split->seed}, {"threshold", run.split->threshold}};
  }
  report["level"] = to_string(question.level);
  report["verdict"] = name_of(verdict_of(observation.p_value, question.level));
  report["p_value"] = json_of_p_value(observation.p_value);
  put_from_counts(report, observation.found, question.deltas, digits);
  Json ceiling = {{"p_value", json_of_p_value(observation.ceiling_p_value)}};
  put_from_counts(ceiling, observation.ceiling, question.deltas, digits);
  report["ceiling"] = std::move(ceiling);
  report["certificate"] = {{"denominator", limit_denominator().str()},
                           {"fpr_upper", numerator_of_limit(observation.found.fpr)},
                           {"fnr_upper", numerator_of_limit(observation.found.fnr)},
                           {"level_of_each", to_string(question.level / 2)}};
  report["assumptions"] = observation_assumptions(run.adjacency, run.split.has_value());
  if (!observation.p_value.remark.empty()) report["remark"] = observation.p_value.remark;
  put_cause(report, observation.p_value.cause);
  return report;
}

}  // namespace plaudit
