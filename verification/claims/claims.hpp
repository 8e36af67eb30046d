// How other people's numbers are read: from JSON, CSV and what other libraries print.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "verification/claims/claim.hpp"
#include "verification/claims/exact_json.hpp"

namespace plaudit {

/// One object or row of a file of claims, its spec not yet read.
struct ClaimEntry {
  std::string id;
  Json fields;
  std::string error;  ///< why it is no claim, if so

  /// A triple stands for two claims, a band and an estimate; so does a parameter that suffices, and
  /// is best up to a tolerance.
  bool is_two_claims() const;
};

/// A JSON list of claims (or an object with the list under "claims"). @throws InputError where the
/// whole text is unusable.
std::vector<ClaimEntry> entries_from_json(std::string_view text);
/// CSV (RFC 4180) with a header line of the same names; an empty cell is an absent field.
std::vector<ClaimEntry> entries_from_csv(std::string_view text);
/// Objects with the names of the fields; `errors[i]`, where there is one, says why i is no claim.
std::vector<ClaimEntry> claim_entries(std::vector<Json> list,
                                      const std::vector<std::string>& errors = {});

/// The claim, or claims, of an entry; one that cannot be audited has its reason in `error`.
std::vector<Claim> claims_of(const ClaimEntry& entry);

/// All claims of a text, by the functions above.
std::vector<Claim> claims_from_json(std::string_view text);
std::vector<Claim> claims_from_csv(std::string_view text);

/// An entry that is no claim, for its reason.
Claim unreadable_claim(const std::string& id, const std::string& reason);

}  // namespace plaudit
