#include "lib/analysis/normal_tail.hpp"

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {
constexpr long bits_of_tail = 64;
/// The fraction begins with an odd index, so that it ends above.
constexpr long first_index = 25;
}  // namespace

// Laplace's continued fraction, cut off where its rest is at least 0.
// Proof: docs/proofs/tails.md#normal-tail
Ball normal_tail_above(const Ball& x) {
  const PrecisionScope scope(bits_of_tail);
  const Ball low = x.lower();
  if (!low.is_finite()) return Ball(1);
  if (!certainly_greater_equal(low, Ball(1))) return normal_cdf(-low).upper();
  Ball rest(0);
  for (long n = first_index - PLAUDIT_BOUND("normal_tail.parity", 1, 2); n > 0; --n) {
    rest = Ball(n) / (low + rest);
  }
  return (normal_density(low) / (low + rest)).upper();
}

}  // namespace plaudit
