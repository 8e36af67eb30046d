#include "cli/commands/audit/audit_messages.hpp"

#include <nlohmann/json.hpp>

#include "cli/output/report.hpp"
#include "lib/balls/number_text.hpp"

namespace plaudit::cli {

namespace {

Json extended_json(const Extended& value) {
  return {{"infinite", value.infinite}, {"below", value.below}, {"value", dumped(value.value)}};
}

Extended extended_of(const Json& json) {
  return {json["infinite"], loaded_rational(json["value"]), json["below"]};
}

template <class Enumeration>
Enumeration enumerator(const Json& json) {
  return static_cast<Enumeration>(json.get<int>());
}

Json witness_message(const Witness& witness) {
  return {witness.direction,     witness.epsilon, witness.delta_lower,  witness.delta_upper,
          witness.claimed_delta, witness.event,   witness.output_event, witness.output_delta_lower,
          witness.attack};
}

Witness witness_of(const Json& json) {
  return {json[0], json[1], json[2], json[3], json[4], json[5], json[6], json[7], json[8]};
}

}  // namespace

std::string message_of(const Claim& claim) {
  Json json = {{"id", claim.id},
               {"source", claim.source},
               {"spec", claim.spec},
               {"claimed", claim.claimed},
               {"error", claim.error},
               {"kind", static_cast<int>(claim.kind)},
               {"subject", static_cast<int>(claim.subject)},
               {"quantity", static_cast<int>(claim.quantity)},
               {"direction", static_cast<int>(claim.direction)},
               {"argument", dumped(claim.argument)},
               {"values", Json::array()}};
  for (const Extended& value : claim.values) json["values"].push_back(extended_json(value));
  if (claim.at_least) json["at_least"] = extended_json(*claim.at_least);
  if (claim.at_most) json["at_most"] = extended_json(*claim.at_most);
  if (claim.tolerance) json["tolerance"] = dumped(*claim.tolerance);
  if (claim.relative_tolerance) json["relative"] = dumped(*claim.relative_tolerance);
  if (claim.adjacency) {
    json["adjacency"] = claim.adjacency->kind;
    json["guarantee"] = claim.adjacency->guarantee;
    if (claim.adjacency->group) json["group"] = *claim.adjacency->group;
  }
  return one_line(json);
}

Claim claim_of(const std::string& message) {
  const Json json = Json::parse(message);
  Claim claim;
  claim.id = json["id"];
  claim.source = json["source"];
  claim.spec = json["spec"];
  claim.claimed = json["claimed"];
  claim.error = json["error"];
  claim.kind = enumerator<ClaimKind>(json["kind"]);
  claim.subject = enumerator<Subject>(json["subject"]);
  claim.quantity = enumerator<Quantity>(json["quantity"]);
  claim.direction = enumerator<DirectionChoice>(json["direction"]);
  claim.argument = loaded_rational(json["argument"]);
  for (const Json& value : json["values"]) claim.values.push_back(extended_of(value));
  if (json.contains("at_least")) claim.at_least = extended_of(json["at_least"]);
  if (json.contains("at_most")) claim.at_most = extended_of(json["at_most"]);
  if (json.contains("tolerance")) claim.tolerance = loaded_rational(json["tolerance"]);
  if (json.contains("relative")) claim.relative_tolerance = loaded_rational(json["relative"]);
  if (json.contains("adjacency")) {
    claim.adjacency = Adjacency{json["adjacency"], std::nullopt, json["guarantee"]};
    if (json.contains("group")) claim.adjacency->group = json["group"].get<std::uint64_t>();
  }
  return claim;
}

std::string message_of(const Finding& finding) {
  Json json = {{"verdict", static_cast<int>(finding.verdict)},
               {"reason", finding.reason},
               {"lower", finding.lower},
               {"upper", finding.upper},
               {"gap_epsilon", finding.gap_epsilon},
               {"gap_delta", finding.gap_delta},
               {"gap", finding.gap},
               {"relative_gap", finding.relative_gap},
               {"direction", finding.direction},
               {"digits", finding.digits},
               {"seconds", finding.seconds},
               {"internal", finding.internal}};
  if (finding.witness) json["witness"] = witness_message(*finding.witness);
  return one_line(json);
}

Finding finding_of(const std::string& message) {
  const Json json = Json::parse(message);
  Finding finding;
  finding.verdict = enumerator<Verdict>(json["verdict"]);
  finding.reason = json["reason"];
  finding.lower = json["lower"];
  finding.upper = json["upper"];
  finding.gap_epsilon = json["gap_epsilon"];
  finding.gap_delta = json["gap_delta"];
  finding.gap = json["gap"];
  finding.relative_gap = json["relative_gap"];
  finding.direction = json["direction"];
  if (json.contains("witness")) finding.witness = witness_of(json["witness"]);
  finding.digits = json["digits"];
  finding.seconds = json["seconds"];
  finding.internal = json["internal"];
  return finding;
}

}  // namespace plaudit::cli
