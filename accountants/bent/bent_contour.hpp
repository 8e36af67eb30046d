// Engine B: delta(epsilon) by a contour bent into a hyperbola, for few compositions and rare
// events.
//
// On a vertical line the moment generating function of a subsampled Gaussian decays only like
// e^{-(log s)^2}; what remains after p_0^{n w} is taken out decays exponentially into one half
// plane, so the contour is bent there:
//   delta(eps) = c / (2 pi i) int e^{-kappa w} prod_i At_i(w)^{n_i} e^{mu w(w-1)} / (w (w-1)) dw,
// remove: w = 1 + z, kappa = eps + n lambda, c = e^eps;  add: w = -z, kappa = n lambda - eps, c = 1
// (n lambda = -sum n_i log p_{0,i}). Trapezoid rule in the parameter of the hyperbola; every At_i
// by a trapezoid rule on one fixed path. Proof: docs/proofs/bent_contour.md#assembly
#pragma once

#include <vector>

#include "accountants/accountant.hpp"
#include "accountants/bent/bent_plan.hpp"

namespace plaudit {

class BentContour {
 public:
  /// Every factor is a mixture with a component at sensitivity 0, or Gaussian; at least one of the
  /// first kind.
  static bool applies(const ComposedLoss& loss);
  /// The plan of nodes that serve epsilon to about `digits` relative digits, its cost +inf where
  /// none was found. @param log_delta estimate of log of delta there, or NaN.
  static BentPlan first_plan(const ComposedLoss& loss, double epsilon, double digits,
                             double log_delta);

  /// Nodes that serve epsilon near `epsilon_near` to about `digits` relative digits.
  /// @param log_delta_estimate log of delta there, or NaN to let the class estimate it. @param
  /// start the first plan, if there is one.
  /// @throws std::domain_error when a hypothesis of the theorem could not be verified.
  BentContour(const ComposedLoss& loss, const Ball& epsilon_near, double digits,
              double log_delta_estimate, const BentPlan* start = nullptr);
  BentContour(BentProblem problem, const Ball& epsilon_near, double digits,
              double log_delta_estimate, const BentPlan* start = nullptr);
  /// From a plan as it is (tests of deliberately poor ones).
  BentContour(BentProblem problem, const BentPlan& plan);

  /// Encloses delta at any epsilon; narrow near the epsilon the nodes were made for.
  Enclosure delta(const Ball& epsilon) const;
  /// The same for an exact epsilon, converted at the precision of the nodes.
  Enclosure delta(const Rational& epsilon) const;

  const BentPlan& plan() const { return plan_; }

 private:
  struct Node {
    ComplexBall w, value;    ///< value: (prod - s) w' / (w (w - 1))
    Ball real;               ///< Re w, low precision
    Ball quadrature, tails;  ///< error bounds of value
  };
  /// An arc of one of the two outer hyperbolas: kappa-independent part of its bound, least Re w.
  struct Block {
    Ball weight, real;
  };

  // bent_nodes.cpp: everything that does not depend on epsilon
  void build_bounds();
  void build_values();
  void verify(const Hyperbola& inner, const Hyperbola& outer) const;
  /// The arcs between the edges and from the last one to infinity; `excess` is added to the length
  /// of each.
  std::vector<Block> make_blocks(const Hyperbola& hyperbola, const std::vector<double>& edges,
                                 const Ball& excess) const;
  void make_error_bounds(const Hyperbola& hyperbola, const Ball& step);
  std::vector<double> edges_beyond(double end) const;
  Ball arc_bound(const Hyperbola& hyperbola, const Ball& from, const Ball* to) const;

  Ball kappa(const Ball& epsilon) const;
  Ball errors(const Ball& prefix, const Ball& exponent, Ledger& ledger) const;
  void tighten(const Ball& epsilon_near, double epsilon, BentGoal& goal);
  void intersect_trivial(const Ball& epsilon, const Ball& kappa, Enclosure& band) const;

  BentProblem problem_;
  BentPlan plan_;
  std::vector<BentFactor> factors_;
  std::vector<Node> nodes_;
  bool valued_ = false;         ///< the nodes have their values
  std::vector<Block> blocks_;   ///< both edges of the strip
  std::vector<Block> omitted_;  ///< beyond the last node
};

}  // namespace plaudit
