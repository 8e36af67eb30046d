// Sums sum_j g_j u_j^k for many k at once: how values at equidistant nodes of a line are formed.
#pragma once

#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// result[k] = sum_j weights[j] * bases[j]^k for k < count; weights and bases of equal length.
/// About 2 sqrt(count) powers of each base come from balanced trees of products (radii grow like
/// k^1.5), in blocks of columns so that memory stays bounded. Honours the work limit.
/// @param bits of the sum for each k, or none: then the working precision, which is also the most.
///   Too few make radii wider, never wrong.
std::vector<ComplexBall> power_sums(const std::vector<ComplexBall>& weights,
                                    const std::vector<ComplexBall>& bases, std::size_t count,
                                    const std::vector<long>& bits = {});

}  // namespace plaudit
