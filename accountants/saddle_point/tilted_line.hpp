// The characteristic function of a tilted composition on a grid, and what bounds it elsewhere.
//
// Under dP_t = e^{tL} dP / M(t) let X = (L - m) / d, with doubles m and d near the mean and the
// deviation of L: whatever they are, what is said here holds. phi(s) = E e^{isX} is
// M(t + is/d) / M(t) e^{-ism/d}, the product of the steps' values, each to the power of its count.
// Proof: docs/proofs/berry_esseen.md#line
#pragma once

#include <vector>

#include "lib/balls/complex_ball.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// What is free: exact doubles, chosen by smoothing_plan.hpp.
struct LineChoice {
  double t;           ///< the order
  double mean;        ///< m
  double deviation;   ///< d > 0
  double reach;       ///< R / d > 0: E cosh(R X) bounds the derivatives of phi
  double step;        ///< the mesh of heights of M, h / d
  std::size_t cells;  ///< N: phi is known up to the height N h, and beyond bounded
  double nats;        ///< phi to about e^-nats
};

/// Polynomials through so many points, half of them on either side, bridge the mesh.
constexpr std::size_t points_of_cell = 10;

struct TiltedLine {
  LineChoice choice;
  long bits;                        ///< working precision
  Ball mesh;                        ///< h
  Ball radius;                      ///< R
  Ball log_mgf;                     ///< K(t)
  std::vector<ComplexBall> values;  ///< phi(kh), k = 0 .. N + points_of_cell / 2 - 1
  Ball cosh_moment;                 ///< upper bound of E cosh(R X)
  Ball beyond;                      ///< upper bound of |phi(s)| for all s >= N h
};

/// @throws std::domain_error where M has no enclosure at t +- R/d.
TiltedLine tilted_line(const ComposedLoss& loss, const LineChoice& choice);

}  // namespace plaudit
