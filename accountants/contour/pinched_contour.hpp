// The curve of any composition between those of two with one more Gaussian mechanism each (the
// Gaussian sandwich).
//
// A Gaussian mechanism more, of mean difference tau standard deviations, multiplies M(z) by
// e^{tau^2 z (z+1) / 2}, which falls on every vertical line; with delta_tau its curve,
//   (theta delta_tau - delta_{lambda tau}) / (theta - 1) <= delta <= delta_tau,
//   theta = lambda e^{-(lambda^2 - 1) tau^2 / 8} > 1.
// Where the loss has about a density the band is about (lambda + 1) tau^2 / 2 times that.
// Proof: docs/proofs/pinch.md#pinch
#pragma once

#include <memory>
#include <vector>

#include "accountants/contour/straight_contour.hpp"

namespace plaudit {

/// A composition with one more Gaussian mechanism, and its cumulants.
struct PinchedComposition {
  PinchedComposition(const ComposedLoss& loss, const Rational& tau);
  PinchedComposition(const PinchedComposition&) = delete;
  PinchedComposition& operator=(const PinchedComposition&) = delete;

  ComposedLoss loss;
  CumulantTable table;
};

struct PinchChoice {
  double tau = 0;       ///< mean difference over sigma of the lesser Gaussian mechanism
  StraightChoice line;  ///< of both compositions
  double nats = 0;      ///< what can be had of those that were asked for
  double seconds = 0;   ///< predicted cost; infinite where there is none
};

/// Heuristic. @param table of `loss`.
PinchChoice choose_pinch(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                         double nats, double log_delta);

/// With 8 times the tau: fewer digits, and a shorter line.
PinchChoice coarser(PinchChoice choice);

/// What lies between the two Gaussian factors.
inline constexpr ErrorTerm pinch_term{
    "contour.pinch", "between two compositions with one more Gaussian mechanism each"};

class PinchedContour {
 public:
  static constexpr int ratio = 2;        ///< lambda
  static constexpr double widest = 0.5;  ///< a tau from which on a band says nothing

  PinchedContour(const ComposedLoss& loss, double epsilon, const PinchChoice& choice);

  /// Encloses the total delta of the composition itself.
  Enclosure delta(const Ball& epsilon);
  long bits() const;
  double tau() const { return tau_; }
  const StraightContour& near() const { return near_; }
  const StraightContour& far() const { return far_; }
  const ComposedLoss& near_loss() const { return near_composition_.loss; }
  const ComposedLoss& far_loss() const { return far_composition_.loss; }
  CumulantTable& near_table() { return near_composition_.table; }
  CumulantTable& far_table() { return far_composition_.table; }

 private:
  double tau_;
  PinchedComposition near_composition_;
  PinchedComposition far_composition_;
  StraightContour near_;
  StraightContour far_;
};

}  // namespace plaudit
