#include "lib/analysis/normal_tail.hpp"

#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {
constexpr long bits_of_tail = 64;
/// The fraction begins with an odd index, so that it ends above.
constexpr int first_index = 25;
/// 2 (first_index - 1) + 1 roundings, each of 2^-53 at most.
constexpr long log_rounding = -46;
}  // namespace

// Laplace's continued fraction, cut off where its rest is at least 0, in doubles.
// binary64 bound: docs/proofs/tails.md#normal-tail
// Proof: docs/proofs/tails.md#normal-tail
Ball normal_tail_above(const Ball& x) {
  const PrecisionScope scope(bits_of_tail);
  const double low = x.lower_double();
  if (!(low >= 1 && std::isfinite(low))) {
    const Ball end = x.lower();
    return end.is_finite() ? normal_cdf(-end).upper() : Ball(1);
  }
  double rest = 0;
  for (int n = first_index - PLAUDIT_BOUND("normal_tail.parity", 1, 2); n > 0; --n) {
    rest = n / (low + rest);
  }
  const Ball quotient(low + rest);
  const Ball least = quotient - PLAUDIT_BOUND("normal_tail.rounding", ldexp(quotient, log_rounding),
                                              -ldexp(quotient, -6));
  return (normal_density(Ball(low)) / least).upper();
}

}  // namespace plaudit
