// Terms of power sums in fixed point from balls: the numbers are their middles, cut off, and the
// errors their radii and what is cut off.
// Proof: docs/proofs/straight_contour.md#sums-in-fixed-point
#pragma once

#include <optional>
#include <vector>

#include "lib/analysis/fixed/fixed_numbers.hpp"

namespace plaudit {

/// Nothing where a base may have |.|_1 >= 2, all weights are 0, or a weight is not finite.
std::optional<FixedTerms> fixed_terms_of_balls(const std::vector<ComplexBall>& weights,
                                               const std::vector<ComplexBall>& bases, int limbs);

}  // namespace plaudit
