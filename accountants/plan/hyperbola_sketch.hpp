// Three hyperbolas, the paths of the mixtures, and the logarithms of the bounds of the integrand on
// arcs of the hyperbolas and beyond them, in floating point. The bounds are those of the proof
// (accountants/proof/kinds/hyperbola_arcs.hpp) at single points; nothing here enters a bound.
#pragma once

#include <vector>

#include "accountants/plan/hyperbola_model.hpp"
#include "accountants/plan/path_sketch.hpp"

namespace plaudit {

struct HyperbolaSketch {
  static constexpr int least_arcs = 4;
  static constexpr int most_arcs = 200;
  static constexpr double seconds_of_piece_on_arc = 2e-8;

  const HyperbolaModel& model;
  double front = 0;                         ///< log of what stands before the integral
  double arc = 0;                           ///< the length of an arc, in x
  double rate = 0;                          ///< what the growth of the factors leaves of kappa
  std::vector<HyperbolaCurve> curves = {};  ///< inner, middle, outer
  std::vector<PathSketch> paths = {};

  /// log of the bound of an arc; `outside` becomes that with |Pi| in place of |Pi - s|.
  double on_arc(const HyperbolaCurve& curve, int i, double* outside = nullptr) const;

  /// The arc at which what follows is below e^log_share on all hyperbolas, at least `first`.
  int last_arc(int first, double log_share) const;

 private:
  double gaussian(const HyperbolaCurve& curve, double x1, double x2) const;
  double products_beyond(const HyperbolaCurve& curve, double x) const;
  double beyond(const HyperbolaCurve& curve, double x, double products) const;
};

}  // namespace plaudit
