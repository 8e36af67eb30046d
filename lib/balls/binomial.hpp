// Binomial coefficients too large to be written out, and tails of binomial laws.
#pragma once

#include <cstdint>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

/// log n!.
Ball log_factorial(std::uint64_t n);
/// log C(n, k), 0 <= k <= n, with an absolute error of about n log(n) 2^-bits of the precision.
Ball log_binomial(std::uint64_t n, std::uint64_t k);

/// P(X >= k), X ~ Binomial(n, rate), 0 < rate <= 1, k <= n + 1: to the working precision relative
/// to itself, and to 96 bits more where it is near 1, so that 1 less it is accurate relative to
/// itself where that is above 2^-96 (an enclosure anyway). Takes some sqrt(n rate bits) steps.
/// Proof: docs/proofs/poisson_adjacencies.md#binomial-tail
Ball binomial_tail(std::uint64_t n, const Rational& rate, std::uint64_t k);

/// log Gamma(x), x > 0, for estimates; from any thread (std::lgamma writes to a global variable).
double estimate_log_gamma(double x);
/// log C(n, k) for real 0 <= k <= n, likewise.
double estimate_log_choose(double n, double k);
/// KL(x || p) of coins of the probabilities 0 <= x <= 1 and 0 < p < 1, for estimates.
double estimate_relative_entropy(double x, double p);

}  // namespace plaudit
