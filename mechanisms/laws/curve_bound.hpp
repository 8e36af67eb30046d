// Bounds of a privacy curve at points, and what a law keeps of those from which it was made, for
// whoever wants to prove them again.
#pragma once

#include <map>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// H_x <= value at x = e^loss.
struct CurveBound {
  Rational loss;
  Rational value;
};

/// How a bound follows from integer moments of the likelihood ratio W: from that of W - r, or, with
/// the order 0, from a Gaussian (docs/proofs/random_participation.md#polynomials).
struct MomentChoice {
  Rational r;
  unsigned order = 0;
};

/// The bounds behind a law whose curve is the greatest one that they allow.
struct CurveBounds {
  std::vector<CurveBound>
      corners;  ///< by increasing loss; those >= 0 where one law serves both directions
  /// Of a selection among several runs: bounds of the curves of one run, of both directions, from
  /// which it follows that log C is at most `log_factor` (docs/proofs/repeats.md#factor).
  std::vector<CurveBound> one_run = {};
  Rational log_factor = 0;
  /// Of a random participation: how the bound at each loss was proven, corner or not.
  std::map<Rational, MomentChoice> choices = {};
  /// Bounds of the law itself are lower in places: what proved those is not kept.
  bool looser = false;
};

}  // namespace plaudit
