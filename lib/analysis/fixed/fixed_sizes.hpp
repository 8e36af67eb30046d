// Sums of the sizes of terms over equidistant points in fixed point: moment integrals of a normal
// law at real powers, and upper bounds of them along shifted lines.
// Proof: docs/proofs/fixed_exponentials.md#sizes
#pragma once

#include <optional>
#include <vector>

#include "lib/analysis/fixed/fixed_squares.hpp"

namespace plaudit {

/// With more bits fixed_sum_of_sizes() returns nothing: 128 less the 14 that rounding takes.
constexpr long most_bits_of_fixed_sizes = 114;

/// Encloses sum_j |e^{(r + i s) log f_j - z_j^2 / 2}|, log the principal branch, Im log f_j >= 0.
/// Its radius is about 2^-bits of itself, and what the radii of f, r and s ask for. Honours the
/// work limit. Nothing where that takes too many bits, or numbers too large for fixed point.
std::optional<Ball> fixed_sum_of_sizes(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                       const Ball& r, const Ball& s, long bits);

}  // namespace plaudit
