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

std::string words_of_neighbours(const Adjacency& adjacency) {
  if (adjacency.kind == Adjacency::this_data_set)
    return "the stated data set and a neighbour of it";
  if (!adjacency.guarantee) return "the two laws of the stated pair";
  const std::uint64_t group = adjacency.group_size();
  return "two data sets that are neighbours under adjacency " + adjacency.kind +
         (group == 1 ? "" : ", in groups of " + std::to_string(group));
}

std::vector<std::string> observation_assumptions(const Adjacency& adjacency,
                                                 ObservedThreshold::Kind kind) {
  const std::string before = " fixed before these runs, or by other runs alone";
  std::string test = "the test and its threshold were" + before;
  if (kind == ObservedThreshold::Kind::split) {
    test = "the test was" + before +
           ", and so was the seed; the order of the lines does not depend on the scores, or the "
           "seed was drawn at random";
  } else if (kind == ObservedThreshold::Kind::all) {
    test = "how a run is scored was" + before;
  }
  return {"the runs are independent of each other; those of one kind have the same law", test,
          "the test sees what a run releases, and nothing of its random choices",
          "with and without the record means: " + words_of_neighbours(adjacency) +
              (adjacency.guarantee ? ", the same two in all runs or drawn anew for each by one rule"
                                   : "")};
}

Json observation_head(const ClaimedSpec& claim, const std::string& design, const Rational& level,
                      int digits) {
  Json report = {{"plaudit", PLAUDIT_VERSION}, {"spec", claim.spec}, {"quantity", "observation"}};
  put_adjacency(report, claim.adjacency);
  report["digits"] = digits;
  if (!claim.bound.empty()) report["bound"] = claim.bound;
  report["design"] = design;
  report["level"] = to_string(level);
  return report;
}

Json json_report(const ClaimedSpec& claim, const RunCounts& counts,
                 const ObservedThreshold& threshold, const ObserveQuestion& question,
                 const Observation& observation, int digits) {
  Json report = observation_head(claim, "runs", question.level, digits);
  report["counts"] = {{"true_positives", counts.true_positives},
                      {"with_record", counts.with_record},
                      {"false_positives", counts.false_positives},
                      {"without_record", counts.without_record}};
  if (threshold.kind == ObservedThreshold::Kind::split) {
    report["split"] = {{"seed", threshold.seed}, {"threshold", threshold.value}};
  } else if (threshold.kind == ObservedThreshold::Kind::all) {
    report["threshold"] = "all";
  }
  report["verdict"] = name_of(verdict_of(observation.p_value, question.level));
  report["p_value"] = json_of_p_value(observation.p_value);
  put_from_counts(report, observation.found, question.deltas, digits);
  Json ceiling = {{"p_value", json_of_p_value(observation.ceiling_p_value)}};
  put_from_counts(ceiling, observation.ceiling, question.deltas, digits);
  report["ceiling"] = std::move(ceiling);
  if (threshold.kind != ObservedThreshold::Kind::all) {
    report["certificate"] = {{"denominator", limit_denominator().str()},
                             {"fpr_upper", numerator_of_limit(observation.found.fpr)},
                             {"fnr_upper", numerator_of_limit(observation.found.fnr)},
                             {"level_of_each", to_string(question.level / 2)}};
  }
  report["assumptions"] = observation_assumptions(claim.adjacency, threshold.kind);
  if (!observation.p_value.remark.empty()) report["remark"] = observation.p_value.remark;
  put_cause(report, observation.p_value.cause);
  return report;
}

}  // namespace plaudit
