// All claims of a text, as an audit of a file reads them.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "verification/claims/claims.hpp"

namespace plaudit {

inline std::vector<Claim> all_claims(const std::vector<ClaimEntry>& entries) {
  std::vector<Claim> claims;
  for (const ClaimEntry& entry : entries) {
    for (Claim& claim : claims_of(entry)) claims.push_back(std::move(claim));
  }
  return claims;
}

inline std::vector<Claim> claims_from_json(std::string_view text) {
  return all_claims(entries_from_json(text));
}

inline std::vector<Claim> claims_from_csv(std::string_view text) {
  return all_claims(entries_from_csv(text));
}

}  // namespace plaudit
