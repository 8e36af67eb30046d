// Choices for few compositions and rare events (accountants/proof/kinds/hyperbola.hpp), in floating
// point: the bounds of the proof at single points instead of on pieces.
#pragma once

#include <limits>
#include <vector>

#include "accountants/proof/kinds/hyperbola.hpp"

namespace plaudit {

struct HyperbolaGoal {
  double epsilon;
  double saddle;     ///< distance from the pole at which the integrand is least, about
  double log_delta;  ///< about
  double log_error;  ///< log of what all errors together may amount to
};

struct HyperbolaPlan {
  proof::HyperbolaChoices choices;
  long bits = 64;                                            ///< of the sum
  long bits_to_check = 64;                                   ///< where logarithms lose more
  double seconds = std::numeric_limits<double>::infinity();  ///< predicted; infinite: no plan
  std::vector<double> place = {};                            ///< of the choices in the search
};

/// -sum n_i log p_0,i - or + epsilon: there is a plan only where it is positive.
double estimate_kappa(const proof::HyperbolaLaw& law, double epsilon);

/// The cheapest plan found by about `effort` attempts. @param start where to go on from, if an
/// earlier search has found something.
HyperbolaPlan plan_hyperbola(const proof::HyperbolaLaw& law, const HyperbolaGoal& goal, int effort,
                             const HyperbolaPlan* start = nullptr);

/// The same place for another goal.
HyperbolaPlan replan_hyperbola(const proof::HyperbolaLaw& law, const HyperbolaGoal& goal,
                               const HyperbolaPlan& former);

}  // namespace plaudit
