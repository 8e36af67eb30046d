// The Cauchy transform of a negative binomial law off the real line,
//   S(w) = sum_m mu_m / (w - m),    mu_m = (beta)_m / m! rho^m (1 - rho)^beta,
// by its continued fraction: quotients of Meixner polynomials, whose error is theirs.
//
// Theorem: docs/proofs/turned_line.md#fraction
#pragma once

#include <complex>
#include <cstddef>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

struct NegativeBinomial {
  Ball beta;
  Ball rho;  ///< in (0, 1)
};

struct TransformValue {
  ComplexBall value;  ///< the quotient of this many terms
  Ball error;         ///< that S(w) may differ from it by
};

/// With Im w > 0 or Im w < 0. The balls of w and rho are widened by the recurrence, by about two
/// bits for each term: both, and the working precision, should have so many more.
TransformValue negative_binomial_transform(const NegativeBinomial& law, const ComplexBall& w,
                                           std::size_t terms);

/// Heuristic: how many terms make the error about e^-nats; at most `most`.
std::size_t estimate_transform_terms(double beta, double rho, std::complex<double> w, double nats,
                                     std::size_t most);

}  // namespace plaudit
