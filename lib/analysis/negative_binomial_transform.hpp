// The Cauchy transform of a negative binomial law off the real line,
//   S(w) = sum_m mu_m / (w - m),    mu_m = (beta)_m / m! rho^m (1 - rho)^beta,
// by its continued fraction: a quotient H_K / G_K of polynomials of degree K (Meixner's G_K), off
// by at most rho^K K! (beta)_K / (|G_K|^2 |Im w|). Theorem: docs/proofs/turned_line.md#fraction
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
  ComplexBall value;  ///< H_K / G_K
  Ball error;         ///< upper bound of |S(w) - H_K / G_K|; +inf unless K >= 1 and Im w is not 0
};

/// With K = terms. The recurrence widens balls by about two bits for each term: w and rho, and the
/// working precision, should have so many more.
TransformValue negative_binomial_transform(const NegativeBinomial& law, const ComplexBall& w,
                                           std::size_t terms);

/// Heuristic: how many terms make the error about e^-nats; at most `most`.
std::size_t estimate_transform_terms(double beta, double rho, std::complex<double> w, double nats,
                                     std::size_t most);

}  // namespace plaudit
