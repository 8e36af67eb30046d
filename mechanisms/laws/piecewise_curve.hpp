// Bounds of a privacy curve at some points as a law: the pair of the greatest curve that they
// allow.
//
// H_x, x = e^l, is at most the given values at the given l, is 1 at x = 0, convex and falls: so it
// is below the lower hull of these points, which is the curve of a pair with finitely many losses,
// the l of the hull's corners. Proof: docs/proofs/curves.md#bounds
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/laws/curve_bound.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// A corner of a curve of straight pieces: H_x = value at x = e^loss.
struct CurveCorner {
  Ball x;
  Ball value;
  Ball loss;
};

/// The law of the pair of the curve that is 1 at x = 0, has these corners, by increasing x, and is
/// constant behind the last of them. Proof: docs/proofs/curves.md#pairs
FiniteLaw law_of_corners(const std::vector<CurveCorner>& corners, const Ball& q_mass,
                         const Rational& infinite);

class PiecewiseCurve {
 public:
  /// @param bounds by increasing loss, at least one below 1; those that say no more than one before
  /// are left out. @param symmetric losses >= 0, of both directions alike: H_x = 1 - x + x H_(1/x)
  /// carries them to x < 1.
  /// @param stated of bounds that someone states, all corners are told apart, however near
  PiecewiseCurve(const std::vector<CurveBound>& bounds, bool symmetric, bool stated = false);

  /// At the working precision: a corner is an atom, by increasing loss.
  FiniteLaw law() const;
  /// Its losses, in that order.
  std::vector<Rational> losses() const;
  /// Whether this is the greatest curve of these bounds and no corner was left out since no
  /// precision that was tried told it from a point of a straight piece.
  bool exact() const { return exact_; }
  /// The bounds that make its corners: of a symmetric one those at losses >= 0.
  const std::vector<CurveBound>& corners() const { return corners_; }
  /// The mass at infinity.
  const Rational& infinite() const { return corners_.back().value; }

 private:
  struct Point {
    Ball x;
    Ball value;
  };
  /// The bounds as points, those below x = 1 too where `symmetric`.
  std::vector<Point> points() const;

  std::vector<CurveBound> corners_;
  bool symmetric_;
  long bits_;  ///< beyond the working precision, that slopes need
  bool exact_ = true;
};

/// The law of that pair; on a lattice where the losses of the corners are on one that is not too
/// fine. @param behind what the law is to keep beside the bounds of its corners, or in their
/// place, where nobody stated them. @throws SpecError where no bound is below 1
struct PiecewiseLaw {
  std::shared_ptr<const PrivacyLoss> loss;
  bool exact;  ///< PiecewiseCurve::exact
};
PiecewiseLaw piecewise_loss(std::string description, std::vector<CurveBound> bounds, bool symmetric,
                            bool stated = false, CurveBounds behind = {});

/// A decimal of 29 digits that is at least the value, and at most 1; 1 where the value is not
/// finite, 10^-300 where it is less.
Rational rounded_up(const Ball& value);

}  // namespace plaudit
