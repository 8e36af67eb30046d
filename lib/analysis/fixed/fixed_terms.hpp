// Terms of sums over equidistant points in fixed point, for moment integrals of a normal law on a
// vertical line. Several times faster than in balls.
// Proof: docs/proofs/fixed_exponentials.md#terms
#pragma once

#include <optional>
#include <vector>

#include "lib/analysis/fixed/fixed_numbers.hpp"
#include "lib/analysis/fixed/fixed_squares.hpp"

namespace plaudit {

/// With more bits fixed_terms() returns nothing: 192 less the 13 that rounding takes at least.
constexpr long most_bits_of_fixed_terms = 179;

/// Encloses g_j = e^{r log f_j - z_j^2 / 2} and u_j = e^{i step log f_j}, log the principal branch,
/// for Im log f_j >= 0 and step > 0, so that |u_j| <= 1. Errors are about 2^-bits of the sum of all
/// |g_j|, and of 1, and what the radii of f, r and step ask for. Honours the work limit.
/// Nothing where that takes too many bits, or numbers too large for fixed point, or where a branch
/// is not certain.
std::optional<FixedTerms> fixed_terms(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                      const Ball& r, const Ball& step, long bits);

}  // namespace plaudit
