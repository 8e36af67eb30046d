// What counts of errors, guesses and bets prove, by exact sums of whole numbers, for certificates:
// docs/certificates/observation.md
#pragma once

#include "accountants/proof/arithmetic/budget.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit::proof {

/// So many errors of so many trials.
struct Errors {
  long of;
  long trials;
};

/// Rejects unless P(Bin(trials, rate) <= of) <= most / 2: errors of two kinds share `most`.
void require_errors(const Errors& errors, const Rational& rate, const Rational& most,
                    const char* name, Budget& budget);

/// Of so many canaries so many were guessed, so many rightly.
struct GuessedRightly {
  long right;
  long guessed;
  long canaries;
};

/// Rejects unless P(right or more) <= most if D(lambda) <= delta: docs/proofs/one_run.md#notation.
void require_guesses(const GuessedRightly& guesses, const Rational& lambda, const Rational& delta,
                     const Rational& most, Budget& budget);
/// The same of independent canaries, delta(0) <= advantage.
void require_independent(const GuessedRightly& guesses, const Rational& advantage,
                         const Rational& most, Budget& budget);
/// D there: half of the sum of both directions' deltas; 0 stands for one that no guess is about.
Rational mean_of_directions(const Rational& remove, const Rational& add);

struct Bets {
  long right;
  long wrong;
  long abstained;
};

/// Rejects unless the product of the bets is at least 1 / p_value.
void require_bets(const Bets& bets, const Rational& lambda, const Rational& delta,
                  const Rational& stake, const Rational& p_value, Budget& budget);

/// Whether intervals prove e^epsilon <= most.
bool exponential_at_most(const Rational& epsilon, const Rational& most);

}  // namespace plaudit::proof
