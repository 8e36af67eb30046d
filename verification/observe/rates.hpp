// What counts say of a rate: binomial tails, and the limit of Clopper and Pearson as an exact
// rational.
// Proof: docs/proofs/observe.md#limit
#pragma once

#include <cstdint>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

/// So many of so many independent trials, all of one unknown rate.
struct Count {
  std::uint64_t of = 0;
  std::uint64_t trials = 0;
};

/// P(X <= count.of), X ~ Binomial(count.trials, rate), 0 <= rate <= 1.
Ball at_most(const Count& count, const Rational& rate);

/// A rational a, a multiple of 2^-64, with at_most(count, a) <= level, 0 < level < 1: the least for
/// which the balls decide that; 1 where all trials count.
Rational rate_limit(const Count& count, const Rational& level);

/// The denominator of rate_limit.
Integer limit_denominator();

}  // namespace plaudit
