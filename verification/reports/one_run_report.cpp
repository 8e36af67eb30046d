#include "verification/reports/one_run_report.hpp"

#include <nlohmann/json.hpp>

#include "lib/balls/decimal.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/reports/stopped_by.hpp"

namespace plaudit {

namespace {

constexpr int digits_of_p_value = 4;

Json json_of_guesses(const Guesses& guesses) {
  return {{"right", guesses.right}, {"guessed", guesses.guessed}, {"canaries", guesses.canaries}};
}

void put_numbers(Json& json, const OneRunNumbers& found, const OneRunQuestion& question,
                 int digits) {
  json["p_value"] = {{"upper", decimal_above(found.p_value, digits_of_p_value)}};
  json["epsilon_lower"] = Json::array();
  for (std::size_t i = 0; i < question.deltas.size(); ++i) {
    json["epsilon_lower"].push_back({{"delta", to_string(question.deltas[i])},
                                     {"lower", decimal_below(found.epsilons[i], digits)}});
  }
  json["mu_lower"] = decimal_below(found.mu, digits);
}

std::string_view verdict_name(bool refuted) {
  return name_of(refuted ? ObservedVerdict::refuted : ObservedVerdict::consistent);
}

}  // namespace

void check_coins(const Adjacency& adjacency, CoinsOf coins, GuessedAs as) {
  if (coins != CoinsOf::pairs) return;
  if (adjacency.kind != Adjacency::replace && adjacency.kind != Adjacency::as_stated) {
    throw SpecError(
        "design: pairs exchange one record for another, so the claim must be of replace; this one "
        "is of " +
        adjacency.kind);
  }
  if (as != GuessedAs::both) {
    throw SpecError(
        "guessed: of pairs it is guessed which of two canaries is in; all in or all out is of "
        "coins");
  }
}

std::vector<std::string> one_run_assumptions(const Adjacency& adjacency, CoinsOf coins,
                                             const OneRunQuestion& question) {
  const std::string neighbours = words_of_neighbours(adjacency);
  std::vector<std::string> words{
      coins == CoinsOf::canaries
          ? "each canary was in or out by a fair coin of its own, and not exactly half of them by "
            "design"
          : "the members were drawn at random among all canaries, and so were the pairs, apart "
            "from "
            "the scores: their seed was drawn at random",
      "scores and guesses come from what the run released, without these coins; how many guesses "
      "of each kind are made was fixed before",
      coins == CoinsOf::canaries
          ? "a canary in and out means: " + neighbours
          : "a canary in place of the other one of its pair means: " + neighbours};
  if (question.as != GuessedAs::both) {
    words.emplace_back(question.as == GuessedAs::in ? "all guesses said that the canary was in"
                                                    : "all guesses said that the canary was out");
  }
  if (question.independent) {
    words.emplace_back(
        "what the run releases of each canary depends on its own coin alone, independently of the "
        "others");
  }
  return words;
}

// Proof: docs/proofs/one_run.md#refuted
ObservedVerdict verdict_of(const OneRunNumbers& found, const Rational& level) {
  return certainly_less_equal(found.p_value, Ball(level)) ? ObservedVerdict::refuted
                                                          : ObservedVerdict::consistent;
}

Json json_report(const ClaimedSpec& claim, CoinsOf coins, const OneRunQuestion& question,
                 const OneRunObservation& observation, int digits) {
  Json report = observation_head(claim, coins == CoinsOf::canaries ? "coins" : "pairs",
                                 question.level, digits);
  report["guesses"] = Json::array();
  for (const Guesses& one : question.guesses) report["guesses"].push_back(json_of_guesses(one));
  if (question.independent) report["independent"] = true;
  report["verdict"] = name_of(verdict_of(observation.found, question.level));
  put_numbers(report, observation.found, question, digits);
  put_numbers(report["ceiling"], observation.ceiling, question, digits);
  if (certainly_positive(observation.none_below)) {
    report["no_test_below"] = decimal_below(observation.none_below, digits_of_p_value);
  }
  const CurveLine& line = observation.found.line;
  report["certificate"] = json_of_guesses(question.guesses[observation.found.guesses]);
  report["certificate"]["weight"] = question.guesses.size();
  report["certificate"]["lambda"] = to_string(line.lambda);
  report["certificate"]["delta"] = to_string(line.delta);
  for (const CurveLine& one : observation.found.lines.lines) {
    report["certificate"]["lines"].push_back({{"lambda", to_string(one.lambda)},
                                              {"delta", to_string(one.delta)},
                                              {"cap", to_string(one.cap)}});
    report["certificate"]["least"] = to_string(observation.found.lines.least);
  }
  report["assumptions"] = one_run_assumptions(claim.adjacency, coins, question);
  if (!observation.remark.empty()) report["remark"] = observation.remark;
  put_cause(report, observation.cause);
  return report;
}

std::vector<std::string> sequence_assumptions(const Adjacency& adjacency) {
  return {"each guess is about a fair coin of its own run, which nothing before the run knows",
          "the line and the stake were fixed before the first run; when to stop was free",
          "scores and guesses come from what the runs released, without these coins",
          "a coin's two sides mean: " + words_of_neighbours(adjacency)};
}

Json json_report(const ClaimedSpec& claim, const SequenceObservation& observation,
                 const Rational& level, int digits) {
  const Rational p_value = p_value_of_bets(observation.e_value);
  Json report = observation_head(claim, "sequence", level, digits);
  const GuessedSequence& guesses = observation.guesses;
  report["guesses"] = {
      {"right", guesses.right}, {"wrong", guesses.wrong}, {"abstained", guesses.abstained}};
  report["verdict"] = verdict_name(p_value <= level);
  report["p_value"] = {{"upper", decimal_above(p_value, digits_of_p_value)}};
  report["e_value"] = {{"lower", decimal_below(observation.e_value, digits)}};
  report["certificate"] = {{"lambda", to_string(observation.bet.lambda)},
                           {"delta", to_string(observation.bet.delta)},
                           {"stake", to_string(observation.bet.stake)}};
  report["assumptions"] = sequence_assumptions(claim.adjacency);
  return report;
}

}  // namespace plaudit
