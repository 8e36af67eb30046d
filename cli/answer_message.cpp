#include "cli/answer_message.hpp"

#include <nlohmann/json.hpp>

#include "cli/question.hpp"
#include "lib/balls/number_text.hpp"
#include "mechanisms/direction.hpp"

namespace plaudit::cli {

namespace {

Json json_of_band(const Enclosure& band) {
  Json json = {{"lower", dumped(band.lower)}, {"upper", dumped(band.upper)},
               {"certified", band.certified}, {"accountant", band.accountant},
               {"method", band.method},       {"remark", band.remark},
               {"trusted", band.trusted},     {"cause", static_cast<int>(band.cause)},
               {"ledger", Json::array()}};
  if (band.exact) json["exact"] = dumped(*band.exact);
  for (const Ledger::Entry& entry : band.ledger.entries()) {
    json["ledger"].push_back({entry.name, entry.theorem, dumped(entry.size)});
  }
  return json;
}

Enclosure band_of(const Json& json) {
  Enclosure band;
  band.lower = loaded_ball(json["lower"]);
  band.upper = loaded_ball(json["upper"]);
  band.certified = json["certified"];
  band.accountant = json["accountant"];
  band.method = json["method"];
  band.remark = json["remark"];
  band.trusted = json["trusted"];
  band.cause = static_cast<Cause>(json["cause"].get<int>());
  if (json.contains("exact")) band.exact = loaded_rational(json["exact"]);
  for (const Json& entry : json["ledger"]) {
    const std::string name = entry[0];
    const std::string theorem = entry[1];
    band.ledger.note({name.c_str(), theorem.c_str()}, loaded_ball(entry[2]));
  }
  return band;
}

Cause cause_of(Ending how) {
  switch (how) {
    case Ending::finished:
    case Ending::refused:
    case Ending::broken:
      break;
    case Ending::time:
      return Cause::time;
    case Ending::memory:
      return Cause::memory;
    case Ending::beyond:
      return Cause::method;
    case Ending::failed:
      return Cause::defect;
  }
  return Cause::none;
}

}  // namespace

Json json_of(const Answer& answer) {
  Json json = {{"quantity", static_cast<int>(answer.quantity)},
               {"band", json_of_band(answer.band)},
               {"directions", Json::object()},
               {"reached", answer.reached},
               {"seconds", answer.seconds},
               {"digits", answer.digits},
               {"of", message_of(answer.of)}};
  for (const DirectionAnswer& each : answer.directions) {
    json["directions"][std::string(name_of(each.direction))] = json_of_band(each.band);
  }
  return json;
}

Answer answer_of(const Json& json) {
  Answer answer;
  answer.quantity = static_cast<Quantity>(json["quantity"].get<int>());
  answer.band = band_of(json["band"]);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const std::string key(name_of(direction));
    if (json["directions"].contains(key)) {
      answer.directions.push_back({direction, band_of(json["directions"][key])});
    }
  }
  answer.reached = json["reached"];
  answer.seconds = json["seconds"];
  answer.digits = json["digits"];
  answer.of = heard_band_of(json["of"]);
  return answer;
}

std::function<void(const Answer&)> telling_so_far(const Tell& tell) {
  return [&tell](const Answer& answer) { tell.so_far(one_line(json_of(answer))); };
}

Answer answer_so_far(const End& end, Answer trivial) {
  Answer answer = std::move(trivial);
  if (!end.so_far.empty()) answer = answer_of(Json::parse(end.so_far));
  answer.seconds = end.seconds;
  if (answer.reached) return answer;
  answer.band.remark = end.words;
  answer.band.cause = cause_of(end.how);
  return answer;
}

}  // namespace plaudit::cli
