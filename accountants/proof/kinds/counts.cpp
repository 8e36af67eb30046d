#include "accountants/proof/kinds/counts.hpp"

#include <algorithm>
#include <utility>

#include "accountants/proof/arithmetic/intervals.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/mutant.hpp"

namespace plaudit::proof {

namespace {

/// Announces so many sums and products of whole numbers of n times the bits of x.
void announce(Budget& budget, long n, const Integer& x, long terms) {
  const Integer bits = Integer(n) * Integer(x == 0 ? 1 : msb(x) + 1);
  require(bits <= 1L << 22, "the sums have numbers of more than 2^22 bits");
  budget.announce(Integer(terms) * (bits / Integer(512) + Integer(4)));
}

/// sum over i = v..n of C(n, i) a^i b^(n-i), its term at v, and (a + b)^n; a > 0, b >= 0.
struct Tail {
  Integer sum;
  Integer term;
  Integer all;
};
Tail upper_tail(long n, long v, const Integer& a, const Integer& b, Budget& budget) {
  announce(budget, n, a + b, n - v + 3);
  const auto times = static_cast<unsigned long>(n);
  Integer term = pow(a, times);
  Integer sum = term;
  const long last = PLAUDIT_BOUND("counts.all_terms", v, v + 1);
  for (long i = n; i > last; --i) {
    if (i % 16 == 0) budget.spend(0);
    term = term * (Integer(i) * b) / (Integer(n - i + 1) * a);
    sum += term;
  }
  return {std::move(sum), std::move(term), pow(a + b, times)};
}

bool at_most(const Tail& tail, const Rational& most) {
  return tail.sum * denominator(most) <= numerator(most) * tail.all;
}

Rational power_of(const Rational& x, long n, Budget& budget) {
  announce(budget, n, std::max(abs(numerator(x)), denominator(x)), 1);
  const auto times = static_cast<unsigned long>(n);
  return {pow(numerator(x), times), pow(denominator(x), times)};
}

}  // namespace

// Proof: docs/proofs/observe.md#limit
void require_errors(const Errors& errors, const Rational& rate, const Rational& most,
                    const char* name, Budget& budget) {
  const std::string what(name);
  require(rate > 0 && rate <= 1, what + ": must be in (0, 1]");
  require(errors.of < errors.trials, what + ": errors in all runs say nothing");
  if (rate == 1) return;
  const Integer part = numerator(rate);
  const Tail tail =
      upper_tail(errors.trials, errors.trials - errors.of, denominator(rate) - part, part, budget);
  require(at_most(tail, most / PLAUDIT_BOUND("counts.both_sides", 2, 1)),
          what + ": so few errors are more probable than is stated");
}

// Proof: docs/proofs/one_run.md#closed-form
void require_guesses(const GuessedRightly& guesses, const Rational& lambda, const Rational& delta,
                     const Rational& most, Budget& budget) {
  require(lambda > 0, "lambda: must be positive");
  require(guesses.right >= 1, "no right guess says nothing");
  const Tail tail =
      upper_tail(guesses.guessed, guesses.right, numerator(lambda), denominator(lambda), budget);
  // 1 - (1 - beta) (1 - M): beta = sum / all, M = m delta sum / (v term) = share / whole.
  const Integer share =
      Integer(PLAUDIT_BOUND("counts.canaries", guesses.canaries, 1L)) * numerator(delta) * tail.sum;
  const Integer whole = Integer(guesses.right) * denominator(delta) * tail.term;
  require(share < whole && (tail.all - tail.sum) * (whole - share) * denominator(most) >=
                               (denominator(most) - numerator(most)) * tail.all * whole,
          "so many right guesses are more probable than is stated");
}

// Proof: docs/proofs/one_run.md#independent
void require_independent(const GuessedRightly& guesses, const Rational& advantage,
                         const Rational& most, Budget& budget) {
  require(guesses.guessed == guesses.canaries, "independent canaries are all guessed");
  const Integer whole = denominator(advantage);
  const Integer part = PLAUDIT_BOUND("counts.advantage", numerator(advantage), Integer(0));
  const Tail tail = upper_tail(guesses.guessed, guesses.right, whole + part, whole - part, budget);
  require(at_most(tail, most), "so many right guesses are more probable than is stated");
}

// Proof: docs/proofs/one_run.md#lemma
Rational mean_of_directions(const Rational& remove, const Rational& add) {
  return (remove + add) / PLAUDIT_BOUND("counts.mean", 2, 4);
}

// Proof: docs/proofs/one_run.md#sequence
void require_bets(const Bets& bets, const Rational& lambda, const Rational& delta,
                  const Rational& stake, const Rational& p_value, Budget& budget) {
  require(stake >= 0 && stake * (lambda + delta) <= 1,
          "stake: must be in [0, 1 / (lambda + delta)]");
  const Rational right = power_of(1 + stake * (1 - delta), bets.right, budget);
  const Rational wrong = power_of(1 - stake * (lambda + delta), bets.wrong, budget);
  const Rational abstained = power_of(
      1 - stake * PLAUDIT_BOUND("counts.abstained", delta, Rational(0)), bets.abstained, budget);
  require(right * wrong * abstained * p_value >= 1, "the bets do not come to so much");
}

bool exponential_at_most(const Rational& epsilon, const Rational& most) {
  const Interval power = exp(Interval(epsilon));
  return exactly_at_most(PLAUDIT_BOUND("counts.lambda", power, power / 2), most);
}

}  // namespace plaudit::proof
