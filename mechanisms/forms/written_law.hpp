// A law of the privacy loss as its author writes it: exact losses, and masses of P that are known
// to lie in intervals. Does any pair of probabilities have such a law?
//
// Q has the mass e^-loss P at a finite loss. So a pair has the law where P can have the sum 1 and
// the least sum that Q can then have is at most 1: both are decided exactly.
// Proof: docs/proofs/discrete.md#file
#pragma once

#include <optional>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// One direction, exactly as written.
struct WrittenLaw {
  /// A mass known to lie in [lower, upper].
  struct Mass {
    Rational lower;
    Rational upper;
  };
  std::vector<Rational> losses;  ///< strictly increasing
  std::vector<Mass> masses;      ///< one per loss
  Mass infinite;
};

/// P at the losses, where its sum with the mass at infinity is 1 and Q has the least mass: what the
/// lower ends leave goes to infinity first, and then to the greatest losses. None where no P in the
/// intervals has the sum 1.
std::optional<std::vector<Rational>> masses_of_least_q(const WrittenLaw& law);

/// Whether the sum of e^-losses[i] masses[i] is at most 1; none where no precision that is tried
/// shows it (docs/proofs/discrete.md#file says how near to 1 that is).
std::optional<bool> q_is_at_most_one(const std::vector<Rational>& losses,
                                     const std::vector<Rational>& masses);

}  // namespace plaudit
