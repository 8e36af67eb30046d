// Finite laws of what is released of several runs: shuffled messages of users, the best of a random
// number of runs. The same in both directions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// The pair that bounds every epsilon-private local randomizer of so many users: losses log((e j +
/// m-j)/(j + e (m-j))), 0 <= j <= m <= users, e = e^epsilon, by the fractions j/m.
/// Proof: docs/proofs/shuffle.md#law
Finite shuffle_law(const Rational& epsilon, long users);

/// The law of K, the number of runs of a mechanism, the best of which is released.
struct Repeats {
  enum class Kind { poisson, negative_binomial, binomial } kind = Kind::poisson;
  Rational mean = 0;         ///< of poisson
  Rational eta = 0;          ///< of negative_binomial, above -1
  Rational gamma = 0;        ///< of negative_binomial, in (0, 1)
  Integer trials = 1;        ///< of binomial
  Rational probability = 1;  ///< of binomial, in (0, 1]
};

/// Two points at +-(epsilon + log C), C that of an epsilon-private base.
/// Proof: docs/proofs/repeats.md#pure
Finite best_of(const Rational& epsilon, const Repeats& repeats);

}  // namespace plaudit::proof
