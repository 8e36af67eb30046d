// Other people's numbers as statements that are true or false.
//
// Every claim says  at_least <= x <= at_most  of one exact number x: epsilon(delta) or
// delta(epsilon). upper states the right half, lower the left one, band both, and an estimate v
// with its tolerance t states v - t <= x <= v + t. Numbers are read as the decimals written.
// docs/audit.md has the fields and what each verdict means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "verification/claims/discrete_pld.hpp"

namespace plaudit {

enum class ClaimKind { upper, lower, estimate, band, pessimistic, optimistic };

const char* name_of(ClaimKind kind);

/// A rational, +inf or -inf.
struct Extended {
  bool infinite = false;
  Rational value = 0;
  bool below = false;  ///< where infinite: -inf
};

struct Claim {
  std::string id;
  std::string source;
  std::string spec;     ///< canonical where it could be read, else as given
  std::string claimed;  ///< the claimed number or numbers, as given
  std::string error;    ///< why it cannot be audited; then only id, source and spec hold
  std::optional<Composition> composition;
  std::optional<Adjacency> adjacency;  ///< of the composition: there where the claim was read
  ClaimKind kind = ClaimKind::upper;
  Quantity quantity = Quantity::epsilon;
  DirectionChoice direction = DirectionChoice::both;
  Rational argument = 0;  ///< delta where epsilon is claimed, epsilon where delta is
  std::optional<Extended> at_least;
  std::optional<Extended> at_most;
  std::vector<Extended> values;  ///< the claimed numbers themselves, to be compared with tolerance
  std::optional<Rational> tolerance;
  std::optional<DiscretePld> pld;  ///< where kind is pessimistic or optimistic
};

}  // namespace plaudit
