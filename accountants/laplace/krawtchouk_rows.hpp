// The integers of the exact sums for Laplace noise, and what a row of them adds.
//
// K_(k,j), j = 0, 1, ...: sum_j K_(k,j) x^j = x (1+x)^(n-k) (1-x)^k / (1-x^2), as in
// docs/proofs/laplace.md#sum; rows that stop at M continuous draws end with K_(M+1), after which
// K_j = K_(j-2).
#pragma once

#include <cstdint>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/numbers.hpp"

namespace plaudit {

using KrawtchoukRow = std::vector<Integer>;

/// K_(k,j) for j = 0 .. draws + 1, with draws <= n.
KrawtchoukRow krawtchouk_row(std::uint64_t n, std::uint64_t k, std::uint64_t draws);

/// From the row of k to that of k + 1.
void advance(KrawtchoukRow& row);

/// sum_(j>=1) K_j half^j / j! for half >= 0.
/// @param rest 1 / (row.size())!, at the working precision.
Ball row_sum(const KrawtchoukRow& row, const Ball& half, const Ball& rest);

/// The same sum for many arguments up to `most`, at the working precision of the constructor: the
/// series is cut where it is below the rounding, with a bound of the rest.
class RowSeries {
 public:
  RowSeries(const KrawtchoukRow& row, const Ball& most);
  /// @param half in [0, 1.01 most].
  Ball at(const Ball& half) const;
  std::size_t length() const { return terms_.size(); }

 private:
  std::vector<Ball> terms_;  ///< K_j / j!
  Ball rest_;                ///< of what follows, as a part of half^j / j! for the next j
};

}  // namespace plaudit
