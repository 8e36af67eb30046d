#include "cli/commands/compare_entries.hpp"

#include <nlohmann/json.hpp>

#include "lib/balls/number_text.hpp"

namespace plaudit::cli {

namespace {

Json ends_of(const Enclosure& band) {
  Json json = {{"lower", dumped(band.lower)}, {"upper", dumped(band.upper)}};
  if (band.exact) json["exact"] = dumped(*band.exact);
  return json;
}

Enclosure band_of(const Json& json) {
  Enclosure band;
  band.lower = loaded_ball(json["lower"]);
  band.upper = loaded_ball(json["upper"]);
  if (json.contains("exact")) band.exact = loaded_rational(json["exact"]);
  return band;
}

}  // namespace

std::string message_of(const Entry& entry) {
  Json json = {{"verdict", entry.verdict}, {"failed", entry.failed}};
  if (entry.claim) json["claim"] = static_cast<int>(*entry.claim);
  if (entry.answer) {
    json["band"] = ends_of(entry.answer->band);
    json["directions"] = Json::object();
    for (const DirectionAnswer& each : entry.answer->directions) {
      json["directions"][std::string(name_of(each.direction))] = ends_of(each.band);
    }
    json["certified"] = entry.answer->band.certified;
    json["reached"] = entry.answer->reached;
    json["seconds"] = entry.answer->seconds;
  }
  return one_line(json);
}

Entry entry_of(const std::string& name, const std::string& message) {
  const Json json = Json::parse(message);
  Entry entry{name, std::nullopt, json["verdict"], json["failed"]};
  if (json.contains("claim")) entry.claim = static_cast<ClaimForm>(json["claim"].get<int>());
  if (!json.contains("band")) return entry;
  Answer answer;
  answer.band = band_of(json["band"]);
  answer.band.certified = json["certified"];
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const std::string key(name_of(direction));
    if (json["directions"].contains(key)) {
      answer.directions.push_back({direction, band_of(json["directions"][key])});
    }
  }
  answer.reached = json["reached"];
  answer.seconds = json["seconds"];
  entry.answer = std::move(answer);
  return entry;
}

std::string refutation_text(const Entry& entry, const Question& question) {
  const Contradiction& found = *entry.contradiction;
  const std::string quantity = name_of(question.quantity);
  const std::string lower = lower_text(found.claimed, question.digits);
  const std::string upper = upper_text(found.claimed, question.digits);
  const std::string claimed = *entry.claim == ClaimForm::upper ? quantity + " <= " + upper
                              : *entry.claim == ClaimForm::lower
                                  ? quantity + " >= " + lower
                                  : quantity + " in [" + lower + ", " + upper + "]";
  return entry.accountant + " claims " + claimed + " at " + argument_name(question.quantity) +
         " = " + to_string(question.argument) + ", direction " + found.direction + "; " +
         found.accountant + " proves that it is in [" + lower_text(found.proven, question.digits) +
         ", " + upper_text(found.proven, question.digits) + "]";
}

Json refutation_json(const Contradiction& found, int digits) {
  return {{"accountant", found.accountant},
          {"direction", found.direction},
          {"lower", lower_text(found.proven, digits)},
          {"upper", upper_text(found.proven, digits)}};
}

}  // namespace plaudit::cli
