// The least height of a line over a privacy curve, from below, where the curve is known at some
// points only: a convex function lies above each of its secants beyond the ends of the secant.
//
// With D(u) = delta(log u), the greatest power at the false positive rate a is the infimum of
// D(u) + a u. Enclosures of D at a few points around the best threshold bound that from below, at a
// distance of about the square of theirs from each other, with no digits of D beyond those wanted.
// Errors: what the enclosures say; outward rounding.
// Proof: docs/proofs/tradeoff.md#cuts
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// D(u) lies in [lower, upper], exact balls.
struct CurvePoint {
  Ball u;
  Ball lower;
  Ball upper;
};

/// A curve D at some points; convex, and it does not increase.
struct CutCurve {
  std::vector<CurvePoint> points;  ///< by increasing u, two at least; at the first one D(0) = 1
  Ball q_mass;                     ///< D(u) >= 1 - u q_mass
  Ball infinite;                   ///< D(u) >= infinite
};

struct LeastHeight {
  Ball bound;        ///< no D(u) + a u, u > 0, is less: an exact ball
  std::size_t from;  ///< what bounds it is the piece between this point and the next one,
  Ball place;        ///< and seems to be least at this u
};

LeastHeight least_height(const CutCurve& curve, const Ball& a);

}  // namespace plaudit
