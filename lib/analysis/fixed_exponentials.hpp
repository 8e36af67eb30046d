// Sums sum_j e^{w l_j + m_j} at many w, in fixed point: how a moment integral is summed at points
// that are not equidistant. Many times faster than in balls.
// Proof: docs/proofs/fixed_exponentials.md#sums
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// Limbs of a number with which sums of so many terms are accurate to 2^-bits; 0 where too many
/// would be needed.
std::size_t limbs_of_exponentials(long bits, std::size_t terms);

/// Encloses sum_j e^{w l_j + m_j} for each w; l and m of equal length. Errors are about 2^-bits of
/// the greatest term of each sum, and what the radii of w, l and m ask for. Honours the work limit.
/// Nothing where the exponents are too large or the bits too many for fixed point.
std::optional<std::vector<ComplexBall>> fixed_exponential_sums(const std::vector<ComplexBall>& w,
                                                               const std::vector<ComplexBall>& l,
                                                               const std::vector<ComplexBall>& m,
                                                               long bits);

}  // namespace plaudit
