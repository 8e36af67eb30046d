// A bound of the second derivative of the density of a composition, with which the density at a
// point follows from P(L > x) at two points near it. Proof: docs/proofs/tails.md#density
#pragma once

#include "mechanisms/composition.hpp"

namespace plaudit {

/// B with |nu''(y)| <= B e^{-ty} for all real y, nu the density of the finite part of the composed
/// loss; +inf where no factor is known to have a transform that falls like s^-4 along Re z = t.
/// @param t >= 0. @param height where the pieces of the integral end, a choice.
Ball curvature_bound(const ComposedLoss& loss, const Ball& t, double height);

}  // namespace plaudit
