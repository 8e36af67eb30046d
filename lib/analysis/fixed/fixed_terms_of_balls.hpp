// Terms of power sums in fixed point from balls: the numbers are their middles, cut off, and the
// errors their radii and what is cut off.
// Proof: docs/proofs/straight_contour.md#sums-in-fixed-point
#pragma once

#include <optional>
#include <vector>

#include "lib/analysis/fixed/fixed_numbers.hpp"

namespace plaudit {

/// The terms of which the middles of balls are the numbers; nothing where they are too large.
std::optional<FixedTerms> fixed_terms_of_balls(const std::vector<ComplexBall>& weights,
                                               const std::vector<ComplexBall>& bases, int limbs);

}  // namespace plaudit
