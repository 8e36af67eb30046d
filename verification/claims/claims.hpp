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

  /// Whether claims_of() makes two claims of it: a triple (`prv`) states a band and an estimate, a
  /// `parameter` with a tolerance that it suffices and that up to the tolerance no better one does.
  bool is_two_claims() const;
};

/// A JSON list of claims (or an object with the list under "claims"). @throws InputError where the
/// whole text is unusable.
std::vector<ClaimEntry> entries_from_json(std::string_view text);
/// CSV (RFC 4180) with a header line of the same names; an empty cell is an absent field.
std::vector<ClaimEntry> entries_from_csv(std::string_view text);
/// One entry for each object, whose keys are names of fields. `errors[i]`, where not empty, says
/// why object i is no claim.
std::vector<ClaimEntry> claim_entries(std::vector<Json> list,
                                      const std::vector<std::string>& errors = {});

/// The claim, or claims, of an entry; one that cannot be audited has its reason in `error`.
std::vector<Claim> claims_of(const ClaimEntry& entry);

/// An entry that is no claim, for its reason.
Claim unreadable_claim(const std::string& id, const std::string& reason);

}  // namespace plaudit
