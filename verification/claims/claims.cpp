#include "verification/claims/claims.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "mechanisms/language/spec.hpp"
#include "mechanisms/language/spec_error.hpp"
#include "verification/claims/claim_fields.hpp"
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
    return parse_rational(text);
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

/// Numbers that the statement of this claim does not use would be dropped in silence.
void refuse_unused(const Json& fields, const std::vector<std::string>& used,
                   const std::string& what) {
  for (const char* name : {"epsilon", "delta", "epsilon_lower", "epsilon_upper", "delta_lower",
                           "delta_upper", "tolerance", "pld"}) {
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
  throw ClaimError(std::string(name) + " must be one of " + domain + ", not " + abbreviated(text));
}

/// A JSON list may be a string where the claims come from CSV.
Json structured(const Json& value) {
  if (!value.is_string()) return value;
  const std::string& text = value.get_ref<const std::string&>();
  const std::size_t first = text.find_first_not_of(" \t\n");
  const bool is_json = first != std::string::npos && (text[first] == '[' || text[first] == '{');
  return is_json ? parse_exact_json(text) : value;
}

/// A spec, an Opacus history (a list) or a DpEvent (an object), under `spec` or its own name.
std::string spec_of(const Json& fields) {
  std::string name;
  for (const char* candidate : {"spec", "history", "event"}) {
    if (!present(fields, candidate)) continue;
    if (!name.empty()) throw ClaimError(name + " and " + candidate + " are both given");
    name = candidate;
  }
  if (name.empty()) throw ClaimError("spec is missing (or history, or event)");
  const Json what = structured(fields.at(name));
  if (what.is_array()) return opacus_spec(what);
  if (what.is_object()) return dp_event_spec(what);
  if (what.is_string() && name == "spec") return what.get<std::string>();
  throw ClaimError(name + " is not what it should be");
}

/// Fills what the numbers of the claim say.
void read_statement(const Json& fields, Claim& claim) {
  const bool of_epsilon = claim.quantity == Quantity::epsilon;
  const std::string quantity = of_epsilon ? "epsilon" : "delta";
  claim.argument = wanted_number(fields, of_epsilon ? "delta" : "epsilon");
  if (of_epsilon && (claim.argument < 0 || claim.argument > 1)) {
    throw ClaimError("delta must lie in [0, 1]");
  }
  if (present(fields, "tolerance")) {
    claim.tolerance = wanted_number(fields, "tolerance");
    if (*claim.tolerance < 0) throw ClaimError("tolerance must be at least 0");
  }
  const bool band = claim.kind == ClaimKind::band;
  std::vector<std::string> used{"tolerance", of_epsilon ? "delta" : "epsilon"};
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
    const Extended value = extended(text, name);
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
    if (!claim.tolerance) throw ClaimError("an estimate needs a tolerance");
    claim.at_least = value;
    claim.at_most = value;
    claim.at_least->value -= *claim.tolerance;
    claim.at_most->value += *claim.tolerance;
  }
}

Claim read_claim(const Json& fields, const std::string& id) {
  Claim claim;
  claim.id = id;
  try {
    check_fields(fields);
    claim.source = optional_text(fields, "source");
    claim.spec = spec_of(fields);
    claim.kind = one_of<ClaimKind>(fields, "kind",
                                   {{"upper", ClaimKind::upper},
                                    {"lower", ClaimKind::lower},
                                    {"estimate", ClaimKind::estimate},
                                    {"band", ClaimKind::band},
                                    {"pessimistic", ClaimKind::pessimistic},
                                    {"optimistic", ClaimKind::optimistic}},
                                   "");
    claim.direction = one_of<DirectionChoice>(fields, "direction",
                                              {{"both", DirectionChoice::both},
                                               {"remove", DirectionChoice::remove},
                                               {"add", DirectionChoice::add}},
                                              "both");
    claim.quantity =
        one_of<Quantity>(fields, "quantity",
                         {{"epsilon", Quantity::epsilon}, {"delta", Quantity::delta}}, "epsilon");
    claim.composition.emplace(parse_spec(claim.spec));
    claim.spec = claim.composition->spec();
    claim.adjacency = claim.composition->adjacency();
    if (claim.kind == ClaimKind::pessimistic || claim.kind == ClaimKind::optimistic) {
      if (!present(fields, "pld")) throw ClaimError("pld is missing");
      refuse_unused(fields, {"pld"}, std::string("a claim of kind ") + name_of(claim.kind));
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

/// The triple of a PRV accountant is two claims: its ends are a band, its middle an estimate that
/// is off by no more than they are apart from it (or by the tolerance given).
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

const char* name_of(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::upper:
      return "upper";
    case ClaimKind::lower:
      return "lower";
    case ClaimKind::estimate:
      return "estimate";
    case ClaimKind::band:
      return "band";
    case ClaimKind::pessimistic:
      return "pessimistic";
    case ClaimKind::optimistic:
      return "optimistic";
  }
  return "";
}

bool ClaimEntry::is_triple() const { return fields.is_object() && present(fields, "prv"); }

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
  if (entry.is_triple()) return read_prv(entry.fields, entry.id);
  return {read_claim(entry.fields, entry.id)};
}

namespace {

std::vector<Claim> all_claims(const std::vector<ClaimEntry>& entries) {
  std::vector<Claim> claims;
  for (const ClaimEntry& entry : entries) {
    for (Claim& claim : claims_of(entry)) claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace

std::vector<Claim> claims_from_json(std::string_view text) {
  return all_claims(entries_from_json(text));
}

std::vector<Claim> claims_from_csv(std::string_view text) {
  return all_claims(entries_from_csv(text));
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
