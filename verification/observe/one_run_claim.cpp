#include "verification/observe/one_run_claim.hpp"

#include <cmath>

#include "lib/analysis/least_value.hpp"
#include "lib/analysis/normal/normal_quantile.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/given_up.hpp"
#include "lib/work/unlimited_work.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/observe/claimed.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_one_run = 128;
constexpr int most_lines = 24;                           ///< at which the curve is asked, about
constexpr std::uint64_t most_guesses_of_lines = 10'000;  ///< several lines are tried up to here
constexpr int most_tests = 14;  ///< of the claim, for a mechanism that has as many right guesses

AnswerOptions of_both_directions(AnswerOptions options) {
  options.direction = DirectionChoice::both;
  options.attack = false;
  options.proven = {};
  return options;
}

Guesses all_right(Guesses guesses) {
  guesses.right = guesses.guessed;
  return guesses;
}

}  // namespace

Rational multiple_above(const Ball& x) {
  const Rational scaled = exact_rational(x.upper()) * Rational(limit_denominator());
  return std::min(Rational(1), Rational(-floor_of(-scaled), limit_denominator()));
}

GuessedCurve::GuessedCurve(const Composition& claim, AnswerOptions options, GuessedAs as)
    : session_(claim, of_both_directions(std::move(options))), as_(as) {}

Answer GuessedCurve::ask(const Rational& epsilon) {
  // No question may take more than half of the time that is left.
  const WorkLimit share(work_seconds_left() / 2);
  return session_.answer(Quantity::delta, epsilon);
}

// Proof: docs/proofs/one_run.md#lemma
Ball GuessedCurve::at(const Rational& epsilon) {
  const auto before = known_.find(epsilon);
  if (before != known_.end()) return before->second;
  const Answer answer = ask(epsilon);
  const UnlimitedWork joining;
  const Ball remove = answer.directions.front().band.upper;
  const Ball add = answer.directions.back().band.upper;
  const Ball sum = as_ == GuessedAs::both ? remove + add : as_ == GuessedAs::in ? remove : add;
  return known_.insert({epsilon, (sum / PLAUDIT_BOUND("one_run.mean", 2, 4)).upper()})
      .first->second;
}

Ball GuessedCurve::advantage() { return ask(0).band.upper; }

OneRunNumbers best_line(GuessedCurve& curve, const Guesses& guesses) {
  const auto wrong = static_cast<double>(guesses.guessed - guesses.right);
  const double most = std::log((static_cast<double>(guesses.right) + 1) / (wrong + 0.5)) + 2;
  const auto log_bound = [&](double epsilon) {
    const Rational at = checked_rational(std::max(epsilon, 0.0), "epsilon");
    return std::log(rough_probability(guesses, epsilon, curve.at(at).upper_double()));
  };
  const LeastValue least = least_value(0, std::max(most, 1.0), most_lines, log_bound);
  // Stated guarantees have their corners at short numbers.
  const double short_one = std::round(least.at * 100) / 100;
  const double epsilon = log_bound(short_one) <= least.value ? short_one : least.at;
  OneRunNumbers best;
  // delta(epsilon) is at least delta(log lambda).
  const Rational exactly = checked_rational(std::max(epsilon, 0.0), "epsilon");
  const auto line_at = [&](const Rational& at) {
    return CurveLine{upper_exponential(at), multiple_above(curve.at(at)), 0, at};
  };
  best.line = line_at(exactly);
  best.p_value =
      min(Ball(1), greatest_probability(guesses, best.line.lambda, Ball(best.line.delta)));
  if (epsilon <= 0 || guesses.guessed > most_guesses_of_lines) return best;
  const LinesBound several = bound_of_lines(
      guesses, {line_at(exactly * Rational(7, 10)), best.line, line_at(exactly * Rational(14, 10))},
      1);
  if (certainly_less(several.bound, best.p_value)) {
    best.p_value = several.bound;
    best.lines = several;
  }
  return best;
}

namespace {

/// P(right or more) of independent canaries, each guessed rightly with (1 + advantage) / 2 at most.
// Proof: docs/proofs/one_run.md#independent
OneRunNumbers of_independent(GuessedCurve& curve, const Guesses& guesses) {
  OneRunNumbers found;
  found.line.delta = multiple_above(curve.advantage());
  const PrecisionScope scope(bits_of_one_run);
  const Rational rate = (1 + found.line.delta) / 2;
  found.p_value = min(Ball(1), binomial_tail(guesses.guessed, rate, guesses.right)).upper();
  return found;
}

void add_lower_ends(OneRunNumbers& found, const OneRunQuestion& question,
                    const std::vector<Guesses>& guesses) {
  found.epsilons.assign(question.deltas.size(), Ball(0));
  if (question.independent) {
    const Guesses& all = guesses.front();
    const Rational wrong = rate_limit({all.guessed - all.right, all.guessed}, question.level);
    for (std::size_t i = 0; i < question.deltas.size(); ++i) {
      found.epsilons[i] = epsilon_from(wrong, wrong, question.deltas[i]);
    }
    found.mu = mu_from(wrong, wrong);
    return;
  }
  // So many statements share the level.
  const Rational share =
      question.level / PLAUDIT_BOUND("one_run.shares",
                                     Integer(guesses.size() * (question.deltas.size() + 1)),
                                     Integer(1));
  const Rational weight = question.as == GuessedAs::both ? Rational(1) : Rational(1, 2);
  for (const Guesses& one : guesses) {
    for (std::size_t i = 0; i < question.deltas.size(); ++i) {
      found.epsilons[i] =
          max(found.epsilons[i], epsilon_of_guesses(one, weight * question.deltas[i], share))
              .lower();
    }
    found.mu = max(found.mu, mu_of_guesses(one, share, weight)).lower();
  }
}

/// Those of the guesses with the least p-value, which is taken times the number of tests.
// Proof: docs/proofs/one_run.md#several
OneRunNumbers numbers_of(GuessedCurve& curve, const OneRunQuestion& question,
                         const std::vector<Guesses>& guesses) {
  OneRunNumbers found;
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    const OneRunNumbers one =
        question.independent ? of_independent(curve, guesses[i]) : best_line(curve, guesses[i]);
    if (i > 0 && !certainly_less(one.p_value, found.p_value)) continue;
    found = one;
    found.guesses = i;
  }
  const int weight = PLAUDIT_BOUND("one_run.weights", static_cast<int>(guesses.size()), 1);
  found.p_value = min(Ball(1), Ball(weight) * found.p_value).upper();
  return found;
}

/// With probability a + g all coins are published, each true with g / (a + g).
// Proof: docs/proofs/one_run.md#no-test
Ball published(const Rational& a, const Ball& power, const Guesses& guesses) {
  const Rational g = std::min(exact_rational(power.lower()), Rational(1 - a));
  if (g <= a) return 0;
  return (Ball(Rational(a + g)) * binomial_tail(guesses.guessed, g / (a + g), guesses.right))
      .lower();
}

Ball none_below(const Composition& claim, const AnswerOptions& options, const Guesses& guesses) {
  Claimed claimed(claim, of_both_directions(options));
  Ball best(0);
  const PrecisionScope scope(bits_of_one_run);
  least_value(-16, -0.7, most_tests, [&](double log_a) {
    const Rational a = checked_rational(std::exp(log_a), "rate");
    Ball power(1);
    for (ClaimedPower& one : claimed.directions()) power = min(power, one.at(a).lower);
    const Ball found = published(a, power, guesses);
    best = max(best, found).lower();
    return -found.estimate_log();
  });
  return best;
}

void check(const OneRunQuestion& question) {
  check_levels(question.level, question.deltas);
  for (const Guesses& one : question.guesses) {
    check_guesses(one);
    if (question.independent && (one.guessed != one.canaries || question.guesses.size() != 1)) {
      throw SpecError(
          "independent: is for one set of guesses of all canaries; scores with abstentions are "
          "those of the design runs then");
    }
  }
  if (question.guesses.empty()) throw SpecError("guesses: there are none");
}

}  // namespace

OneRunObservation observe_one_run(const Composition& claim, const OneRunQuestion& question,
                                  const AnswerOptions& options,
                                  const std::function<void(const OneRunObservation&)>& known) {
  check(question);
  OneRunObservation result;
  std::vector<Guesses> perfect;
  for (const Guesses& one : question.guesses) perfect.push_back(all_right(one));
  const MemoryLimit memory(options.memory_bytes);
  const WorkLimit limit(options.timeout_seconds);
  {
    const UnlimitedWork of_guesses_alone;
    add_lower_ends(result.found, question, question.guesses);
    add_lower_ends(result.ceiling, question, perfect);
  }
  if (known) known(result);
  const auto with_ends = [](OneRunNumbers numbers, const OneRunNumbers& ends) {
    numbers.epsilons = ends.epsilons;
    numbers.mu = ends.mu;
    return numbers;
  };
  try {
    GuessedCurve curve(claim, options, question.as);
    result.found = with_ends(numbers_of(curve, question, question.guesses), result.found);
    if (known) known(result);
    result.ceiling = with_ends(numbers_of(curve, question, perfect), result.ceiling);
    const bool any = question.of_any_kinds && question.as == GuessedAs::both;
    if (question.guesses.size() == 1 && !question.independent && any) {
      result.none_below = none_below(claim, options, question.guesses.front());
    }
  } catch (...) {
    const GivenUp why = given_up_unless_contradiction();
    result.remark = why.words;
    result.cause = why.cause;
  }
  return result;
}

}  // namespace plaudit
