// Sums sum_j g_j u_j^k, |u_j| <= 1, for many k at once in fixed point, faster than in balls:
// products of whole numbers of limbs are exact and have no radii.
#pragma once

#include <optional>
#include <vector>

#include "lib/analysis/fixed/fixed_numbers.hpp"

namespace plaudit {

/// The sums of power_sums, for bases in the unit disk (or hardly outside of it); nothing for
/// others, and where the working precision is large. The radius of each is a small multiple of
/// sum_j |weights[j]| 2^-bits besides what the radii of weights and bases ask for.
/// Proof: docs/proofs/straight_contour.md#sums-in-fixed-point
std::optional<std::vector<ComplexBall>> fixed_power_sums(const std::vector<ComplexBall>& weights,
                                                         const std::vector<ComplexBall>& bases,
                                                         std::size_t count,
                                                         const std::vector<long>& bits = {});

/// The same of terms that are in fixed point already.
/// @param bits after the point that suffice for each sum, or none; too few make its radius wider.
/// @throws std::logic_error for another number of them.
std::optional<std::vector<ComplexBall>> fixed_power_sums(const FixedTerms& terms, std::size_t count,
                                                         const std::vector<long>& bits = {});

}  // namespace plaudit
