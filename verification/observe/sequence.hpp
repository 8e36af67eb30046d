// Guesses one after the other, each with a fair coin of its own that the earlier ones do not know,
// stopped whenever one likes: a product of bets that a claim lets grow only by chance.
// Proof: docs/proofs/one_run.md#sequence
#pragma once

#include <cstdint>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// What was guessed until one stopped.
struct GuessedSequence {
  std::uint64_t right = 0;
  std::uint64_t wrong = 0;
  std::uint64_t abstained = 0;
};

/// A line of the claimed curve, delta(log lambda) <= delta, and a stake, all fixed before.
struct Bet {
  Rational lambda;  ///< >= 1
  Rational delta;   ///< the mean of both directions, in [0, 1]
  Rational stake;   ///< in [0, 1 / (lambda + delta)]
};

/// The product of 1 + stake (X - delta), X = 1 where right, -lambda where wrong, 0 where abstained.
/// Under the claim it ever reaches 1 / alpha with a probability of at most alpha.
/// @throws SpecError for a bet outside of its domain and for more than a million guesses of a kind
Rational e_value(const GuessedSequence& guesses, const Bet& bet);

/// 1 / e_value, at most 1.
Rational p_value_of_bets(const Rational& e_value);

/// The stake of the fastest growth where a share `right` of the guesses is right: a choice.
Rational rough_stake(const Rational& lambda, const Rational& delta, double right);

}  // namespace plaudit
