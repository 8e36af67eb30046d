#include "verification/claims.hpp"

#include <algorithm>
#include <set>

#include "mechanisms/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/exact_json.hpp"
#include "verification/importers.hpp"

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
  for (const char* infinity : {"inf", "+inf", "Infinity", "infinity"}) {
    if (text == infinity) return {true, 0};
  }
  return {false, number(text, name)};
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
  const auto read = [&](const std::string& name) {
    if (!present(fields, name.c_str())) throw ClaimError(name + " is missing");
    const std::string text = text_of(fields, name.c_str());
    const Extended value = extended(text, name);
    if (!value.infinite && value.value < 0) throw ClaimError(name + " must be at least 0");
    if (!of_epsilon && value.infinite) throw ClaimError(name + " must be finite");
    claim.claimed += (claim.claimed.empty() ? "" : " to ") + text;
    claim.values.push_back(value);
    return value;
  };
  if (claim.kind == ClaimKind::band) {
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
    if (claim.kind == ClaimKind::pessimistic || claim.kind == ClaimKind::optimistic) {
      if (!present(fields, "pld")) throw ClaimError("pld is missing");
      claim.quantity = Quantity::delta;
      claim.pld = discrete_pld(structured(fields.at("pld")));
      claim.claimed = claim.pld->summary();
    } else {
      read_statement(fields, claim);
    }
  } catch (const std::invalid_argument& error) {  // ClaimError, SpecError, InputError
    claim.error = error.what();
    claim.composition.reset();
  }
  return claim;
}

/// The triple of a PRV accountant is two claims: its ends are a band, its middle an estimate that
/// is off by no more than they are apart from it (or by the tolerance given).
std::vector<Claim> read_prv(Json fields, const std::string& id) {
  const auto failed = [&](const std::string& reason) {
    Claim claim;
    claim.id = id;
    claim.error = reason;
    return std::vector<Claim>{claim};
  };
  const bool of_delta = present(fields, "quantity") && fields["quantity"] == "delta";
  const std::string quantity = of_delta ? "delta" : "epsilon";
  try {
    const Json triple = structured(fields.at("prv"));
    if (!triple.is_array() || triple.size() != 3 ||
        !std::all_of(triple.begin(), triple.end(), [](const Json& x) { return x.is_string(); })) {
      return failed("prv must be a list of three numbers: lower, estimate, upper");
    }
    Json band = fields;
    band["kind"] = "band";
    band[quantity + "_lower"] = triple[0];
    band[quantity + "_upper"] = triple[2];
    Json estimate = fields;
    estimate["kind"] = "estimate";
    estimate[quantity] = triple[1];
    if (!present(fields, "tolerance")) {
      const Rational lower = number(triple[0].get<std::string>(), "prv");
      const Rational middle = number(triple[1].get<std::string>(), "prv");
      const Rational upper = number(triple[2].get<std::string>(), "prv");
      if (lower > middle || middle > upper) return failed("prv must be in increasing order");
      estimate["tolerance"] = to_string(upper - middle > middle - lower ? Rational(upper - middle)
                                                                        : Rational(middle - lower));
    }
    return {read_claim(band, id + "/band"), read_claim(estimate, id + "/estimate")};
  } catch (const std::invalid_argument& error) {
    return failed(error.what());
  }
}

std::vector<Claim> read_claims(const std::vector<Json>& list) {
  std::vector<Claim> claims;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& fields = list[i];
    std::string id = "#" + std::to_string(i + 1);
    if (!fields.is_object()) {
      Claim claim;
      claim.id = id;
      claim.error = "a claim must be an object";
      claims.push_back(std::move(claim));
      continue;
    }
    if (present(fields, "id") && fields.at("id").is_string())
      id = fields.at("id").get<std::string>();
    if (present(fields, "prv")) {
      for (Claim& claim : read_prv(fields, id)) claims.push_back(std::move(claim));
    } else {
      claims.push_back(read_claim(fields, id));
    }
    if (!ids.insert(id).second && claims.back().error.empty()) {
      claims.back().error = "the id is used by an earlier claim";
      claims.back().composition.reset();
    }
  }
  return claims;
}

/// The records of an RFC 4180 text; a quote inside a quoted cell is doubled.
std::vector<std::vector<std::string>> csv_records(std::string_view text) {
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> record;
  std::string cell;
  bool quoted = false;
  bool started = false;  // the record has a character or a comma
  const auto end_record = [&] {
    if (!started) return;
    record.push_back(std::move(cell));
    records.push_back(std::move(record));
    record.clear();
    cell.clear();
    started = false;
  };
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);  // byte order mark
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += c;
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"' && cell.find_first_not_of(' ') == std::string::npos) {
      cell.clear();
      quoted = true;
      started = true;
    } else if (c == ',') {
      record.push_back(std::move(cell));
      cell.clear();
      started = true;
    } else if (c == '\n') {
      end_record();
    } else if (c != '\r') {
      cell += c;
      started = true;
    }
  }
  if (quoted) throw InputError("CSV: a quote is not closed");
  end_record();
  return records;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
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

std::vector<Claim> claims_from_json(std::string_view text) {
  Json document = parse_exact_json(text);
  if (document.is_object() && document.contains("claims")) {
    Json list = std::move(document["claims"]);
    document = std::move(list);
  }
  if (!document.is_array()) throw InputError("a JSON list of claims is wanted");
  return read_claims({document.begin(), document.end()});
}

std::vector<Claim> claims_from_csv(std::string_view text) {
  const auto records = csv_records(text);
  if (records.empty()) throw InputError("CSV: a header line is wanted");
  std::vector<std::string> names;
  for (const std::string& name : records[0]) names.push_back(trimmed(name));
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!has("kind") && !has("prv")) throw InputError("CSV: the header has no column kind");
  std::vector<Json> list;
  for (std::size_t i = 1; i < records.size(); ++i) {
    Json fields = Json::object();
    if (records[i].size() > names.size()) {
      throw InputError("CSV: record " + std::to_string(i) + " has more cells than the header");
    }
    for (std::size_t k = 0; k < records[i].size(); ++k) {
      std::string cell = trimmed(records[i][k]);
      if (!cell.empty()) fields[names[k]] = std::move(cell);
    }
    list.push_back(std::move(fields));
  }
  return read_claims(list);
}

}  // namespace plaudit
