#include "verification/claims/claims.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/text.hpp"
#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/calibration/monotone.hpp"
#include "verification/claims/claim_fields.hpp"
#include "verification/claims/event_fields.hpp"
#include "verification/claims/exact_json.hpp"
#include "verification/claims/importers.hpp"

namespace plaudit {

namespace {

/// What a single claim got wrong.
using ClaimError = InputError;

bool present(const Json& fields, const char* name) {
  const auto place = fields.find(name);
  return place != fields.end() && !place->is_null() &&
         !(place->is_string() && place->get_ref<const std::string&>().empty());
}

std::string text_of(const Json& fields, const char* name) {
  const Json& value = fields.at(name);
  if (!value.is_string()) throw ClaimError(std::string(name) + " must be a string or a number");
  return value.get<std::string>();
}

std::string optional_text(const Json& fields, const char* name) {
  return present(fields, name) ? text_of(fields, name) : std::string();
}

Rational number(const std::string& text, const std::string& name) {
  try {
    return syntax::typed_number(text);
  } catch (const NumberError& error) {
    throw ClaimError(name + ": " + abbreviated(text) + ' ' + error.what());
  }
}

Extended extended(const std::string& text, const std::string& name) {
  for (const std::string infinity : {"inf", "Infinity", "infinity"}) {
    if (text == infinity || text == "+" + infinity) return {true, 0, false};
    if (text == "-" + infinity) return {true, 0, true};
  }
  return {false, number(text, name), false};
}

/// Refuses a number that the statement of this claim does not use: none is dropped in silence.
void refuse_unused(const Json& fields, const std::vector<std::string>& used,
                   const std::string& what) {
  for (const char* name :
       {"epsilon", "delta", "renyi", "mu", "order", "epsilon_lower", "epsilon_upper", "delta_lower",
        "delta_upper", "renyi_lower", "renyi_upper", "tolerance", "relative_tolerance", "pld"}) {
    if (present(fields, name) && std::find(used.begin(), used.end(), name) == used.end()) {
      throw ClaimError(std::string(name) + " means nothing in " + what);
    }
  }
}

Rational wanted_number(const Json& fields, const char* name) {
  if (!present(fields, name)) throw ClaimError(std::string(name) + " is missing");
  return number(text_of(fields, name), name);
}

template <class Value>
Value one_of(const Json& fields, const char* name,
             const std::vector<std::pair<const char*, Value>>& known, const char* fallback) {
  const std::string text = present(fields, name) ? text_of(fields, name) : fallback;
  std::string domain;
  for (const auto& [word, value] : known) {
    if (text == word) return value;
    domain += (domain.empty() ? "" : ", ") + std::string(word);
  }
  std::vector<std::string_view> names;
  names.reserve(std::size(known));
  for (const auto& each : known) names.push_back(each.first);
  throw ClaimError(std::string(name) + " must be one of " + domain + ", not " + abbreviated(text) +
                   did_you_mean(text, names));
}

/// A cell of CSV that holds a list or an object of JSON is parsed; other values stay as they are.
Json structured(const Json& value) {
  if (!value.is_string()) return value;
  const std::string& text = value.get_ref<const std::string&>();
  const std::size_t first = text.find_first_not_of(" \t\n");
  const bool is_json = first != std::string::npos && (text[first] == '[' || text[first] == '{');
  return is_json ? parse_exact_json(text) : value;
}

/// A number as people write it into a table: 10_000, 1.67%, and 60,000 where it must be a count.
std::string typed_text(const Json& value, const std::string& name, const Parameter& parameter) {
  if (value.is_string()) {
    std::string text = value.get_ref<const std::string&>();
    if (parameter.domain.find("integer") != std::string_view::npos)
      text = syntax::without_groups(text);
    if (!text.empty() && text.find_first_not_of("0123456789+-.eE/_%") == std::string::npos) {
      return text;
    }
  }
  return number_text(value, name);
}

/// The columns of DP-SGD, as the shorthand of the spec language; empty where there are none.
std::string dpsgd_spec(const Json& fields) {
  std::string arguments;
  for (const Parameter& parameter : shorthand_named("dpsgd")->parameters) {
    std::vector<std::string_view> names{parameter.name};
    names.insert(names.end(), parameter.aliases.begin(), parameter.aliases.end());
    for (const std::string_view each : names) {
      const std::string name(each);
      if (!present(fields, name.c_str())) continue;
      arguments += (arguments.empty() ? "" : ", ") + name + "=" +
                   typed_text(fields.at(name), name, parameter);
    }
  }
  return arguments.empty() ? "" : "dpsgd(" + arguments + ")";
}

/// A spec, or a run of another library under `spec` or its own name, or the columns of DP-SGD.
ImportedSpec spec_of(const Json& fields) {
  std::string name;
  for (const char* candidate : {"spec", "history", "event"}) {
    if (!present(fields, candidate)) continue;
    if (!name.empty()) throw ClaimError(name + " and " + candidate + " are both given");
    name = candidate;
  }
  const std::string columns = dpsgd_spec(fields);
  if (!columns.empty()) {
    if (!name.empty()) throw ClaimError(name + " and " + columns + " are both given");
    return {columns, ""};
  }
  if (name.empty()) {
    throw ClaimError("spec is missing (or history, or event, or noise_multiplier and so on)");
  }
  const Json what = structured(fields.at(name));
  if (what.is_array() || what.is_object()) return imported_spec(what);
  if (what.is_string() && name == "spec") return {what.get<std::string>(), ""};
  throw ClaimError(name + " is not what it should be");
}

/// The delta, epsilon or order at which the number is claimed.
void read_argument(const Json& fields, Claim& claim) {
  const std::string name = argument_of(claim);
  if (name.empty()) return;
  claim.argument = wanted_number(fields, name.c_str());
  if (name == "delta" && (claim.argument < 0 || claim.argument > 1)) {
    throw ClaimError("delta must lie in [0, 1]");
  }
  if (name == "order" && (claim.argument <= 0 || claim.argument == 1)) {
    throw ClaimError("order must be above 0, and not 1");
  }
}

void read_tolerance(const Json& fields, Claim& claim) {
  if (present(fields, "tolerance")) {
    claim.tolerance = wanted_number(fields, "tolerance");
    if (*claim.tolerance < 0) throw ClaimError("tolerance must be at least 0");
  }
  if (!present(fields, "relative_tolerance")) return;
  if (claim.tolerance) throw ClaimError("tolerance and relative_tolerance are both given");
  claim.relative_tolerance = wanted_number(fields, "relative_tolerance");
  if (*claim.relative_tolerance < 0 || *claim.relative_tolerance >= 1) {
    throw ClaimError("relative_tolerance must lie in [0, 1)");
  }
}

/// Fills what the numbers of the claim say.
void read_statement(const Json& fields, Claim& claim) {
  const std::string quantity = quantity_of(claim);
  const bool band = claim.kind == ClaimKind::band;
  if (claim.subject == Subject::mu && claim.kind != ClaimKind::upper) {
    throw ClaimError("a claim about mu must be of kind upper: that it is mu-GDP");
  }
  read_argument(fields, claim);
  read_tolerance(fields, claim);
  std::vector<std::string> used{argument_of(claim)};
  if (claim.subject != Subject::mu) used.insert(used.end(), {"tolerance", "relative_tolerance"});
  if (band) {
    used.insert(used.end(), {quantity + "_lower", quantity + "_upper"});
  } else {
    used.push_back(quantity);
  }
  refuse_unused(fields, used,
                std::string("a claim of kind ") + name_of(claim.kind) + " about " + quantity);
  // A number that the quantity can never be is a claim too, and a false one.
  const auto read = [&](const std::string& name) {
    if (!present(fields, name.c_str())) throw ClaimError(name + " is missing");
    const std::string text = text_of(fields, name.c_str());
    Extended value = extended(text, name);
    claim.claimed += (claim.claimed.empty() ? "" : " to ") + text;
    claim.values.push_back(value);
    return value;
  };
  if (band) {
    claim.at_least = read(quantity + "_lower");
    claim.at_most = read(quantity + "_upper");
    return;
  }
  const Extended value = read(quantity);
  if (claim.kind == ClaimKind::upper) claim.at_most = value;
  if (claim.kind == ClaimKind::lower) claim.at_least = value;
  if (claim.kind == ClaimKind::estimate) {
    if (!claim.tolerance && !claim.relative_tolerance) {
      throw ClaimError("an estimate needs a tolerance");
    }
    claim.at_least = value;
    claim.at_most = value;
    if (value.infinite) return;
    const Room room = room_of(claim, value.value);
    claim.at_least->value = room.least;
    claim.at_most->value = room.most;
  }
}

Claim read_claim(const Json& fields, const std::string& id) {
  Claim claim;
  claim.id = id;
  try {
    check_fields(fields);
    claim.source = optional_text(fields, "source");
    const ImportedSpec imported = spec_of(fields);
    claim.spec = imported.spec;
    claim.bound = imported.bound;
    if (!present(fields, "kind") &&
        (present(fields, "tolerance") || present(fields, "relative_tolerance"))) {
      throw ClaimError("kind is missing: with a tolerance it may be upper or estimate");
    }
    claim.kind = one_of<ClaimKind>(fields, "kind",
                                   {{"upper", ClaimKind::upper},
                                    {"lower", ClaimKind::lower},
                                    {"estimate", ClaimKind::estimate},
                                    {"band", ClaimKind::band},
                                    {"pessimistic", ClaimKind::pessimistic},
                                    {"optimistic", ClaimKind::optimistic}},
                                   "upper");
    claim.about_pair =
        one_of<bool>(fields, "about", {{"mechanism", false}, {"pair", true}}, "mechanism");
    if (!claim.bound.empty() && claim.about_pair) {
      throw ClaimError(claim.bound + ": a claim about it is not one about a pair");
    }
    if (!claim.bound.empty() && claim.kind != ClaimKind::upper) {
      throw ClaimError(claim.bound + ": only claims of kind upper can be judged");
    }
    claim.direction = one_of<DirectionChoice>(fields, "direction",
                                              {{"both", DirectionChoice::both},
                                               {"remove", DirectionChoice::remove},
                                               {"add", DirectionChoice::add}},
                                              "both");
    const std::string quantity = one_of<std::string>(
        fields, "quantity",
        {{"epsilon", "epsilon"}, {"delta", "delta"}, {"renyi", "renyi"}, {"mu", "mu"}}, "epsilon");
    if (quantity == "delta") claim.quantity = Quantity::delta;
    if (quantity == "renyi") claim.subject = Subject::renyi;
    if (quantity == "mu") claim.subject = Subject::mu;
    claim.composition.emplace(parse_spec(claim.spec));
    claim.spec = claim.composition->spec();
    claim.adjacency = claim.composition->adjacency();
    if (claim.kind == ClaimKind::pessimistic || claim.kind == ClaimKind::optimistic) {
      if (!present(fields, "pld")) throw ClaimError("pld is missing");
      refuse_unused(fields, {"pld"}, std::string("a claim of kind ") + name_of(claim.kind));
      claim.subject = Subject::curve;
      claim.quantity = Quantity::delta;
      claim.pld = discrete_pld(structured(fields.at("pld")));
      claim.claimed = claim.pld->summary();
    } else {
      read_statement(fields, claim);
    }
  } catch (const std::invalid_argument& error) {  // ClaimError, SpecError, InputError
    claim.error = error.what();
    claim.composition.reset();
    claim.adjacency.reset();
  }
  return claim;
}

/// The parameter moved by the tolerance towards less privacy, by a proof that this is the way.
Rational moved(const Rational& value, const FreeParameter& free, const Claim& tolerances) {
  const MonotoneParameter parameter = monotone_parameter(free);
  Rational by = tolerances.relative_tolerance ? Rational(value * *tolerances.relative_tolerance)
                                              : *tolerances.tolerance;
  if (parameter.integer) by = (numerator(by) + denominator(by) - 1) / denominator(by);
  return parameter.falls ? Rational(value - by) : Rational(value + by);
}

/// "sigma = 1.2 suffices for (epsilon, delta)", "10000 steps fit": an upper bound of epsilon of the
/// spec with the number in place of its ?. With a tolerance, that it is the least such noise (or
/// the most steps) up to the tolerance: a lower bound at the parameter moved by it.
std::vector<Claim> read_parameter(Json fields, const std::string& id) {
  try {
    check_fields(fields);
    for (const char* other : {"prv", "history", "event"}) {
      if (present(fields, other)) throw ClaimError(std::string(other) + " beside parameter");
    }
    const std::string kind = optional_text(fields, "kind");
    if (!kind.empty() && kind != "upper") {
      throw ClaimError("a claim with parameter is of kind upper: that it suffices");
    }
    if (present(fields, "quantity") && text_of(fields, "quantity") != "epsilon") {
      throw ClaimError("a claim with parameter is about epsilon");
    }
    if (!present(fields, "spec") || !fields["spec"].is_string()) {
      throw ClaimError("spec is missing");
    }
    const FreeParameter free = find_free_parameter(fields["spec"].get<std::string>());
    const Rational value = number(text_of(fields, "parameter"), "parameter");
    Claim tolerances;
    read_tolerance(fields, tolerances);
    for (const char* used : {"parameter", "tolerance", "relative_tolerance"}) fields.erase(used);
    Json suffices = fields;
    suffices["kind"] = "upper";
    suffices["spec"] = free.with(value);
    if (!tolerances.tolerance && !tolerances.relative_tolerance) return {read_claim(suffices, id)};
    Json least = fields;
    least["kind"] = "lower";
    least["spec"] = free.with(moved(value, free, tolerances));
    return {read_claim(suffices, id + "/suffices"), read_claim(least, id + "/no better")};
  } catch (const std::invalid_argument& error) {
    return {unreadable_claim(id, error.what())};
  }
}

/// The triple (lower, estimate, upper) of a PRV accountant is two claims: a band, and an estimate
/// whose tolerance is its larger distance from the two ends, unless one is given.
std::vector<Claim> read_prv(Json fields, const std::string& id) {
  const auto failed = [&](const std::string& reason) {
    return std::vector<Claim>{unreadable_claim(id, reason)};
  };
  const bool of_delta = present(fields, "quantity") && fields["quantity"] == "delta";
  const std::string quantity = of_delta ? "delta" : "epsilon";
  try {
    check_fields(fields);
    if (present(fields, "kind")) throw ClaimError("kind and prv are both given");
    refuse_unused(fields, {of_delta ? "epsilon" : "delta", "tolerance"}, "a claim with prv");
    const Json triple = structured(fields.at("prv"));
    if (!triple.is_array() || triple.size() != 3 ||
        !std::all_of(triple.begin(), triple.end(), [](const Json& x) { return x.is_string(); })) {
      return failed("prv must be a list of three numbers: lower, estimate, upper");
    }
    fields.erase("prv");
    Json band = fields;
    band["kind"] = "band";
    band[quantity + "_lower"] = triple[0];
    band[quantity + "_upper"] = triple[2];
    Json estimate = fields;
    estimate["kind"] = "estimate";
    estimate[quantity] = triple[1];
    if (!present(fields, "tolerance")) {
      const auto end = [&](std::size_t i) {
        const Extended value = extended(triple[i].get<std::string>(), "prv");
        if (value.infinite) throw ClaimError("prv with an infinity needs a tolerance");
        return value.value;
      };
      const Rational lower = end(0);
      const Rational middle = end(1);
      const Rational upper = end(2);
      if (lower > middle || middle > upper) return failed("prv must be in increasing order");
      estimate["tolerance"] = to_string(upper - middle > middle - lower ? Rational(upper - middle)
                                                                        : Rational(middle - lower));
    }
    return {read_claim(band, id + "/band"), read_claim(estimate, id + "/estimate")};
  } catch (const std::invalid_argument& error) {
    return failed(error.what());
  }
}

}  // namespace

bool ClaimEntry::is_two_claims() const {
  if (!fields.is_object()) return false;
  if (present(fields, "parameter")) {
    return present(fields, "tolerance") || present(fields, "relative_tolerance");
  }
  return present(fields, "prv");
}

Claim unreadable_claim(const std::string& id, const std::string& reason) {
  Claim claim;
  claim.id = id;
  claim.error = reason;
  return claim;
}

std::vector<ClaimEntry> claim_entries(std::vector<Json> list,
                                      const std::vector<std::string>& errors) {
  std::vector<ClaimEntry> entries;
  entries.reserve(list.size());
  std::set<std::string> ids;
  for (std::size_t i = 0; i < list.size(); ++i) {
    ClaimEntry entry{"#" + std::to_string(i + 1), std::move(list[i]), ""};
    const bool is_object = entry.fields.is_object();
    if (is_object && present(entry.fields, "id")) {
      const Json& id = entry.fields.at("id");
      if (id.is_string()) entry.id = id.get<std::string>();
      if (!id.is_string()) entry.error = "id must be a string or a number";
    }
    if (!is_object) entry.error = "a claim must be an object";
    if (i < errors.size() && !errors[i].empty()) entry.error = errors[i];
    if (!ids.insert(entry.id).second && entry.error.empty()) {
      entry.error = "the id is used by an earlier claim";
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<Claim> claims_of(const ClaimEntry& entry) {
  if (!entry.error.empty()) return {unreadable_claim(entry.id, entry.error)};
  if (entry.fields.is_object() && present(entry.fields, "parameter")) {
    return read_parameter(entry.fields, entry.id);
  }
  if (entry.fields.is_object() && present(entry.fields, "prv")) {
    return read_prv(entry.fields, entry.id);
  }
  return {read_claim(entry.fields, entry.id)};
}

std::vector<ClaimEntry> entries_from_json(std::string_view text) {
  Json document = parse_exact_json(text);
  if (document.is_object() && document.contains("claims")) {
    for (const auto& item : document.items()) {
      if (item.key() != "claims" && item.key() != "notes") {
        throw InputError("unknown field " + abbreviated(item.key()) + " beside claims");
      }
    }
    Json list = std::move(document["claims"]);
    document = std::move(list);
  }
  if (!document.is_array()) throw InputError("a JSON list of claims is wanted");
  std::vector<Json> list;
  for (Json& each : document) list.push_back(std::move(each));
  return claim_entries(std::move(list));
}

}  // namespace plaudit
