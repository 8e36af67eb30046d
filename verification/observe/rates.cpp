#include "verification/observe/rates.hpp"

#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr unsigned long limit_bits = 64;
constexpr long bits_of_tails = 128;  ///< working precision

}  // namespace

Integer limit_denominator() { return Integer(1) << limit_bits; }

Ball at_most(const Count& count, const Rational& rate) {
  if (count.of >= count.trials || rate == 0) return 1;
  if (rate == 1) return 0;
  return binomial_tail(count.trials, 1 - rate, count.trials - count.of);
}

// Proof: docs/proofs/observe.md#limit
Rational rate_limit(const Count& count, const Rational& level) {
  if (count.of >= count.trials) return 1;
  const PrecisionScope scope(bits_of_tails);
  const Integer whole = limit_denominator();
  Integer low = 0;  // not decided, or above the level
  Integer high = whole;
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    if (certainly_less_equal(at_most(count, Rational(middle, whole)), Ball(level))) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return {PLAUDIT_BOUND("observe.limit_rounded_up", high, low), whole};
}

}  // namespace plaudit
