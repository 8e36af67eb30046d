// Binomial coefficients too large to be written out, and tails of binomial laws.
#pragma once

#include <cstdint>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

/// log n!.
Ball log_factorial(std::uint64_t n);
/// log C(n, k), 0 <= k <= n: of about log2(n) bits less than the working precision.
Ball log_binomial(std::uint64_t n, std::uint64_t k);

/// P(X >= k), X ~ Binomial(n, rate), 0 < rate <= 1, k <= n + 1: accurate relative to itself, and so
/// is what it leaves of 1. Takes about sqrt(n rate) times the working precision steps. Proof:
/// docs/proofs/poisson_adjacencies.md#binomial-tail
Ball binomial_tail(std::uint64_t n, const Rational& rate, std::uint64_t k);

/// log Gamma(x), x > 0, for estimates. Unlike std::lgamma, which writes the sign to a variable of
/// the process, for use in many threads.
double estimate_log_gamma(double x);
/// log C(n, k) for real 0 <= k <= n, likewise.
double estimate_log_choose(double n, double k);
/// The divergence of a coin of probability x from one of probability p, 0 < p < 1.
double estimate_relative_entropy(double x, double p);

}  // namespace plaudit
