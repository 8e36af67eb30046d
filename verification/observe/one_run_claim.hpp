// Guesses about the canaries of one run against what was claimed of it.
// Proof: docs/proofs/one_run.md#refuted
#pragma once

#include <map>

#include "accountants/session/answer.hpp"
#include "mechanisms/composition.hpp"
#include "verification/observe/observation.hpp"
#include "verification/observe/several_lines.hpp"

namespace plaudit {

struct OneRunQuestion {
  /// Several are looked at with equal weights: 1/so many of the level each.
  std::vector<Guesses> guesses;
  GuessedAs as = GuessedAs::both;
  Rational level;
  std::vector<Rational> deltas;
  /// Each canary's output is taken to depend on nothing but its own coin; all are guessed.
  bool independent = false;
  /// False: how many guesses there are of each kind was fixed, which not every mechanism can meet.
  bool of_any_kinds = true;
};

struct OneRunNumbers {
  Ball p_value{1};  ///< from above
  CurveLine line;   ///< of the closed form; `delta` is the mean of both directions, or half of one
  /// Where several lines give less: the certificate.
  LinesBound lines = {};
  std::size_t guesses = 0;     ///< the place in the question of those with the least p-value
  std::vector<Ball> epsilons;  ///< at each delta, from below; with mu all together at the level
  Ball mu{0};
};

struct OneRunObservation {
  OneRunNumbers found;
  OneRunNumbers ceiling;  ///< of the same guesses, all right
  /// No test of one run by its right guesses, of whatever kinds, has a smaller p-value here: a
  /// mechanism within the claim has as many with at least this probability.
  Ball none_below{0};
  std::string remark = {};
  Cause cause = Cause::none;
};

/// @throws SpecError for a level or a delta outside of its domain, no guesses or impossible ones,
/// and, of `independent` canaries, several sets of guesses or one that leaves canaries out
OneRunObservation observe_one_run(const Composition& claim, const OneRunQuestion& question,
                                  const AnswerOptions& options,
                                  const std::function<void(const OneRunObservation&)>& known = {});

/// The claimed curve as guesses see it: an upper bound of delta at an epsilon, averaged.
class GuessedCurve {
 public:
  GuessedCurve(const Composition& claim, AnswerOptions options, GuessedAs as);
  Ball at(const Rational& epsilon);
  /// The total variation, the advantage of the best guess about one canary.
  Ball advantage();

 private:
  Answer ask(const Rational& epsilon);
  Session session_;
  GuessedAs as_;
  std::map<Rational, Ball> known_;
};

/// A multiple of 2^-64 that is no less, at most 1.
Rational multiple_above(const Ball& x);

/// The line that seems to give the least bound for these guesses, and the bound.
OneRunNumbers best_line(GuessedCurve& curve, const Guesses& guesses);

}  // namespace plaudit
