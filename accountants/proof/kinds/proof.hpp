// What a kind of proof shows of the curve delta(epsilon) of one direction.
#pragma once

#include <optional>
#include <vector>

#include "accountants/proof/arithmetic/balls.hpp"

namespace plaudit::proof {

/// Bounds of delta(epsilon), the mass at infinity included. Real is Ball or Interval.
template <class Real>
struct ProofOf {
  struct Error {
    const ErrorTerm* term;
    Real size;  ///< an upper bound of a mathematical error, in units of delta
  };

  Real low = 0;   ///< delta >= its lower end
  Real high = 1;  ///< delta <= its upper end
  std::vector<Error> errors = {};
};

}  // namespace plaudit::proof
