// The integers of the exact sums for Laplace noise, and what a row of them adds.
//
// K_(k,j), j = 0, 1, ...: sum_j K_(k,j) x^j = x (1+x)^(n-k) (1-x)^k / (1-x^2), as in
// docs/proofs/laplace.md#sum; rows that stop at M continuous draws end with K_(M+1), after which
// K_j = K_(j-2).
#pragma once

#include <vector>

#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/budget.hpp"

namespace plaudit::proof {

using KrawtchoukRow = std::vector<Integer>;

/// K_(k,j) for j = 0 .. draws + 1, with draws <= n.
KrawtchoukRow krawtchouk_row(unsigned long n, unsigned long k, unsigned long draws, Budget& budget);

/// From the row of k to that of k + 1.
void advance(KrawtchoukRow& row);

/// sum_(j>=1) K_j half^j / j! for half >= 0.
/// @param rest 1 / (row.size())!, at the working precision.
template <class Real>
Real row_sum(const KrawtchoukRow& row, const Real& half, const Real& rest, Budget& budget);

}  // namespace plaudit::proof
