#include "verification/observe/sequence.hpp"

#include <algorithm>

#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_guesses = 1'000'000;

Rational power_of(const Rational& x, std::uint64_t n) {
  return {pow(numerator(x), n), pow(denominator(x), n)};
}

}  // namespace

// Proof: docs/proofs/one_run.md#sequence
Rational e_value(const GuessedSequence& guesses, const Bet& bet) {
  for (const std::uint64_t count : {guesses.right, guesses.wrong, guesses.abstained}) {
    if (count > most_guesses) {
      throw SpecError("guesses: at most " + std::to_string(most_guesses) + ", not " +
                      std::to_string(count));
    }
  }
  if (bet.lambda < 1 || bet.delta < 0 || bet.delta > 1 || bet.stake < 0 ||
      bet.stake * (bet.lambda + bet.delta) > 1) {
    throw SpecError("stake: must be a number with 0 <= stake <= 1 / (lambda + delta), not " +
                    to_string(bet.stake));
  }
  const Rational delta = PLAUDIT_BOUND("sequence.delta", bet.delta, Rational(0));
  return power_of(1 + bet.stake * (1 - delta), guesses.right) *
         power_of(1 - bet.stake * (bet.lambda + delta), guesses.wrong) *
         power_of(1 - bet.stake * delta, guesses.abstained);
}

Rational p_value_of_bets(const Rational& e_value) {
  return e_value <= 1 ? Rational(1) : 1 / e_value;
}

Rational rough_stake(const Rational& lambda, const Rational& delta, double right) {
  // The maximum of q log(1 + b (1 - d)) + (1 - q) log(1 - b (lambda + d)).
  const double gain = 1 - estimate(delta);
  const double loss = estimate(lambda + delta);
  const double best = (right * gain - (1 - right) * loss) / (gain * loss);
  return Rational(floor_of(checked_rational(std::clamp(best, 0.0, 0.999 / loss), "stake") *
                           Rational(Integer(1) << 20)),
                  Integer(1) << 20);
}

}  // namespace plaudit
