// A row of the exact sums for Laplace noise (accountants/proof/arithmetic/krawtchouk.hpp) at many
// arguments.
#pragma once

#include <vector>

#include "accountants/proof/arithmetic/krawtchouk.hpp"

namespace plaudit {

/// sum_(j>=1) K_j half^j / j! for arguments up to `most`, at the working precision of the
/// constructor: the series is cut where it is below the rounding, with a bound of the rest.
class RowSeries {
 public:
  RowSeries(const proof::KrawtchoukRow& row, const Ball& most);
  /// @param half in [0, 1.01 most].
  Ball at(const Ball& half) const;

 private:
  std::vector<Ball> terms_;  ///< K_j / j!
  Ball rest_;                ///< bound of all that follows, over half^j for the next j
};

}  // namespace plaudit
