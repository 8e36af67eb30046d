// Other people's numbers as statements that are true or false.
//
// A claim says  at_least <= x <= at_most  of one exact number x: epsilon(delta), delta(epsilon), a
// Renyi divergence or the mu of Gaussian differential privacy. upper states the right half, lower
// the left one, band both, and an estimate v with its tolerance t states v - t <= x <= v + t.
// pessimistic and optimistic state that a whole curve lies nowhere below, or nowhere above, the
// exact one. Numbers are read as the decimals written. docs/audit.md has the fields and what each
// verdict means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "verification/claims/discrete_pld.hpp"

namespace plaudit {

/// What the claimed number is: one of the curve (epsilon at a delta, or delta at an epsilon), a
/// Renyi divergence, or the mu of Gaussian differential privacy.
enum class Subject { curve, renyi, mu };

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
  std::string bound;    ///< where the spec only bounds the run: ImportedSpec::bound
  std::string claimed;  ///< the claimed number or numbers, as given
  std::string error;    ///< why it cannot be audited; then only id, source and spec hold
  std::optional<Composition> composition;
  std::optional<Adjacency> adjacency;  ///< of the composition: there where the claim was read
  ClaimKind kind = ClaimKind::upper;
  Subject subject = Subject::curve;
  Quantity quantity = Quantity::epsilon;  ///< where the subject is the curve
  /// The claim is about the dominating pair of the spec: its lower ends count whether or not they
  /// are ones of the mechanism.
  bool about_pair = false;
  DirectionChoice direction = DirectionChoice::both;
  Rational argument = 0;  ///< delta where epsilon is claimed, epsilon where delta is; or an order
  std::optional<Extended> at_least;
  std::optional<Extended> at_most;
  std::vector<Extended> values;  ///< the claimed numbers themselves, to be compared with tolerance
  std::optional<Rational> tolerance;           ///< in units of the claimed number
  std::optional<Rational> relative_tolerance;  ///< in units of the exact number, below 1
  std::optional<DiscretePld> pld;              ///< where kind is pessimistic or optimistic
};

/// "epsilon", "delta", "renyi", "mu".
std::string quantity_of(const Claim& claim);
/// Where it is claimed: "delta", "epsilon", "order", or nothing.
std::string argument_of(const Claim& claim);

/// The exact numbers x of which `claimed` is within the tolerance: |claimed - x| <= r x of a
/// relative one, x from claimed / (1 + r) to claimed / (1 - r); |claimed - x| <= t of an absolute
/// one, or 0.
struct Room {
  Rational least;
  Rational most;
};
Room room_of(const Claim& claim, const Rational& claimed);
/// Whether a tolerance above 0 is stated.
bool has_tolerance(const Claim& claim);

}  // namespace plaudit
