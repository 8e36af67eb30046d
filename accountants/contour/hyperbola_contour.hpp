// delta(epsilon) by a hyperbola in w, for few compositions and rare events: choices from
// accountants/plan/hyperbola_plan.hpp, the proof by accountants/proof/kinds/hyperbola.hpp, and what
// holds at every epsilon.
//
// On a vertical line the moment generating function of a subsampled Gaussian decays only like
// e^{-(log s)^2}; what remains after p_0^{n w} is taken out decays exponentially into one half
// plane, so the contour is bent there.
#pragma once

#include <memory>

#include "accountants/accountant.hpp"
#include "accountants/plan/hyperbola_plan.hpp"

namespace plaudit {

class HyperbolaContour {
 public:
  /// Where nodes are wanted. The saddle point is that of accountants/cumulants/cumulant_table.hpp.
  struct Place {
    double epsilon;
    double digits;     ///< relative, of delta
    double log_delta;  ///< about
    double saddle;
  };

  /// Every factor is a mixture with a component at sensitivity 0, or Gaussian; at least one of the
  /// first kind.
  static bool applies(const ComposedLoss& loss);
  /// The plan of nodes, its cost infinite where none was found.
  static HyperbolaPlan first_plan(const ComposedLoss& loss, const Place& place);

  /// Nodes that serve epsilon near the place. @param start the first plan, if there is one.
  /// @throws std::domain_error when a hypothesis of the theorem could not be verified.
  HyperbolaContour(const ComposedLoss& loss, const Place& place,
                   const HyperbolaPlan* start = nullptr);
  HyperbolaContour(const proof::HyperbolaLaw& law, const Place& place,
                   const HyperbolaPlan* start = nullptr);
  /// From a plan as it is.
  HyperbolaContour(const proof::HyperbolaLaw& law, const HyperbolaPlan& plan);

  /// Encloses delta at any epsilon; narrow near the epsilon the nodes were made for.
  Enclosure delta(const Ball& epsilon) const;
  /// The same for an exact epsilon, converted at the precision of the nodes.
  Enclosure delta(const Rational& epsilon) const;

  const HyperbolaPlan& plan() const { return plan_; }

 private:
  void make();
  Ball kappa(const Ball& epsilon) const;
  void intersect_trivial(const Ball& epsilon, const Ball& kappa, Enclosure& band) const;

  proof::HyperbolaLaw law_;
  HyperbolaPlan plan_;
  proof::Budget budget_;
  std::unique_ptr<proof::HyperbolaSum<Ball>> sum_;  ///< none: only the trivial range was asked for
  std::shared_ptr<const proof::Evidence> evidence_;
};

/// What is composed. @throws std::domain_error when some factor is of another kind.
proof::HyperbolaLaw hyperbola_law(const ComposedLoss& loss);

}  // namespace plaudit
