// The trapezoidal rule for functions analytic in a strip.
//
// Theorem (Trefethen and Weideman, SIAM Review 56 (2014), Theorem 5.1, two-sided form): let F be
// analytic in |Im x| < a, F -> 0 uniformly as |Re x| -> inf there, and for some 0 < v < a let
// N(v) = int |F(x + i v)| dx, N(-v) likewise, be finite. Then for every step h > 0
//   | h sum_{j in Z} F(j h) - int F(x) dx |  <=  (N(v) + N(-v)) / (e^{2 pi v / h} - 1).
#pragma once

#include "lib/balls/ball.hpp"

namespace plaudit {

/// The factor 1 / (e^{2 pi v / h} - 1) of the theorem; not finite unless v > 0 and h > 0 certainly.
Ball strip_trapezoid_factor(const Ball& half_width, const Ball& step);

/// The bound of the theorem from upper bounds of the two norms.
Ball strip_trapezoid_error(const Ball& norm_above, const Ball& norm_below, const Ball& half_width,
                           const Ball& step);

/// Heuristic: the step for which the factor is about e^{-nats}.
double strip_step(double half_width, double nats);

/// x rounded down to 16 bits, so that its multiples by integers below 2^48 are exact at 64 bits.
double short_double(double x);

/// a + b where that is a double (norms are bounds at exact edges of a strip).
/// @throws std::domain_error where it is not. Proof: docs/proofs/strip_trapezoid.md#exact-edges
double exact_sum(double a, double b);

}  // namespace plaudit
