// sum over all integers k of e^{-(k - c)^2 / (2 v)}: the normaliser of Gaussian weights on a
// lattice.
#pragma once

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// Encloses the sum for v > 0, by Jacobi's theta function. Proof: docs/proofs/discrete.md#theta
ComplexBall gaussian_sum(const ComplexBall& centre, const Rational& variance);

}  // namespace plaudit
