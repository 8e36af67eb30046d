// sum_j W_j E_j^k in whole numbers. Proof: docs/certificates/lines.md#power-sums
#pragma once

#include <cstddef>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/intervals.hpp"

namespace plaudit::proof {

/// Boxes of the sums for k = 0 .. count - 1. The numbers in the boxes `bases` that are meant have
/// modulus at most 1; a box that reaches beyond |E|^2 = 1 + 1 / count is rejected.
std::vector<Complex> power_sums(const std::vector<Complex>& weights,
                                const std::vector<Complex>& bases, std::size_t count,
                                Budget& budget);
/// The same with this many bits after the point, for bounds. The caller has announced the work.
std::vector<Complex> short_power_sums(const std::vector<Complex>& weights,
                                      const std::vector<Complex>& bases, std::size_t count,
                                      long bits, Budget& budget);

}  // namespace plaudit::proof
