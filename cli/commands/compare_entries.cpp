#include "cli/commands/compare_entries.hpp"

#include "accountants/contradiction.hpp"
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

bool disjoint(const Entry& a, const Entry& b) {
  if (!a.answer || !b.answer || a.claim || b.claim) return false;
  const Enclosure& x = a.answer->band;
  const Enclosure& y = b.answer->band;
  return x.certified && y.certified &&
         (certainly_less(x.upper, y.lower) || certainly_less(y.upper, x.lower));
}

/// Of the claim by the proven entry: in a direction that both answer, or for both together.
std::optional<Refutation> refutation_of(const Entry& claim, const Entry& proven) {
  for (const DirectionAnswer& claimed : claim.answer->directions) {
    for (const DirectionAnswer& known : proven.answer->directions) {
      if (claimed.direction != known.direction) continue;
      if (!contradicts(known.band, claimed.band, *claim.claim)) continue;
      return Refutation{proven.accountant, std::string(name_of(known.direction)), claimed.band,
                        known.band};
    }
  }
  if (!contradicts(proven.answer->band, claim.answer->band, *claim.claim)) return std::nullopt;
  return Refutation{proven.accountant, "both", claim.answer->band, proven.answer->band};
}

/// Relative width, to find the band that says most.
double width_of(const Refutation& refutation) {
  return (refutation.proven.upper - refutation.proven.lower).upper_double();
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

bool mark_disjoint(std::vector<Entry>& entries) {
  bool found = false;
  for (Entry& a : entries) {
    for (const Entry& b : entries) {
      if (!disjoint(a, b)) continue;
      a.verdict = "disjoint from " + b.accountant;
      found = true;
    }
  }
  return found;
}

bool mark_refuted(std::vector<Entry>& entries) {
  bool found = false;
  for (Entry& claim : entries) {
    if (!claim.claim || !claim.answer) continue;
    for (const Entry& proven : entries) {
      if (proven.claim || !proven.answer || !proven.answer->band.certified) continue;
      auto refutation = refutation_of(claim, proven);
      if (!refutation) continue;
      const bool better = !claim.refutation || width_of(*refutation) < width_of(*claim.refutation);
      if (better) claim.refutation = std::move(refutation);
    }
    if (!claim.refutation) continue;
    claim.verdict = "refuted by " + claim.refutation->accountant;
    found = true;
  }
  return found;
}

std::string refutation_text(const Entry& entry, const Question& question) {
  const Refutation& refutation = *entry.refutation;
  const std::string quantity = name_of(question.quantity);
  const std::string lower = lower_text(refutation.claimed, question.digits);
  const std::string upper = upper_text(refutation.claimed, question.digits);
  const std::string claimed = *entry.claim == ClaimForm::upper ? quantity + " <= " + upper
                              : *entry.claim == ClaimForm::lower
                                  ? quantity + " >= " + lower
                                  : quantity + " in [" + lower + ", " + upper + "]";
  return entry.accountant + " claims " + claimed + " at " + argument_name(question.quantity) +
         " = " + to_string(question.argument) + ", direction " + refutation.direction + "; " +
         refutation.accountant + " proves that it is in [" +
         lower_text(refutation.proven, question.digits) + ", " +
         upper_text(refutation.proven, question.digits) + "]";
}

Json refutation_json(const Refutation& refutation, int digits) {
  return {{"accountant", refutation.accountant},
          {"direction", refutation.direction},
          {"lower", lower_text(refutation.proven, digits)},
          {"upper", upper_text(refutation.proven, digits)}};
}

}  // namespace plaudit::cli
