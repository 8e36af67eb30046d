// What guesses about the canaries of one run say, however the run made them depend on each other:
// the greatest probability of so many right guesses under (epsilon, delta), in closed form.
// Proof: docs/proofs/one_run.md#closed-form
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accountants/tails/spans.hpp"
#include "lib/exact/rational.hpp"
#include "verification/observe/scores.hpp"

namespace plaudit {

/// The most canaries of a run.
inline constexpr std::uint64_t most_canaries = 1'000'000;

/// Of so many canaries, each in or out by a coin of its own, so many were guessed, so many rightly.
struct Guesses {
  std::uint64_t canaries = 0;
  std::uint64_t guessed = 0;
  std::uint64_t right = 0;
};

/// @throws SpecError: no guess, more guesses than canaries, more right ones than guesses, more than
/// most_canaries
void check_guesses(const Guesses& guesses);

/// Which guesses were made: only one direction of the curve counts where all say the same.
enum class GuessedAs { both, in, out };
/// By these names. @throws SpecError for another one
GuessedAs guessed_as(std::string_view name);

/// P(so many right guesses or more) is at most this for a run with D(lambda) <= `delta` at a lambda
/// >= 1: D is the mean of both directions' curves, half of one of them where all guesses are alike.
Ball greatest_probability(const Guesses& guesses, const Rational& lambda, const Ball& delta);
/// The same in floating point, for choices. @param log_lambda >= 0
double rough_probability(const Guesses& guesses, double log_lambda, double delta);

/// An epsilon, rounded down, such that a run that is (epsilon, delta)-private had so many right
/// guesses with a probability of at most the level; 0 where there is none above.
Ball epsilon_of_guesses(const Guesses& guesses, const Rational& delta, const Rational& level);
/// The same of mu for mu-GDP. @param weight 1 for guesses of both kinds, 1/2 otherwise
Ball mu_of_guesses(const Guesses& guesses, const Rational& level, const Rational& weight);

/// A short rational that is at least e^epsilon.
Rational upper_exponential(const Rational& epsilon);

/// Guesses by scores: of the greatest ones that they are in, of the least ones that they are out.
/// Of equal scores those that are wrong come first.
/// @throws SpecError: more guesses than scores
Guesses guesses_by_scores(const Scores& scores, std::uint64_t in, std::uint64_t out);

/// Members and others drawn into pairs by the seed; of each pair the greater score is said to be
/// the member's. Guessed are the pairs of the greatest differences, or all.
/// Of equal differences those that are wrong come first; equal scores are wrong.
Guesses guesses_in_pairs(const Scores& scores, std::uint64_t seed,
                         std::optional<std::uint64_t> guessed);

}  // namespace plaudit
