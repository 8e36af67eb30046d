// Bounds of a privacy curve at points, and what a law keeps of those from which it was made, for
// whoever wants to prove them again.
#pragma once

#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// H_x <= value at x = e^loss.
struct CurveBound {
  Rational loss;
  Rational value;
};

/// The bounds behind a law whose curve is the greatest one that they allow.
struct CurveBounds {
  std::vector<CurveBound> corners;  ///< by increasing loss; of laws alike in both directions >= 0
  /// Of a selection among several runs: bounds of the curves of one run, of both directions, from
  /// which it follows that log C is at most `log_factor` (docs/proofs/repeats.md#factor).
  std::vector<CurveBound> one_run = {};
  Rational log_factor = 0;
};

}  // namespace plaudit
