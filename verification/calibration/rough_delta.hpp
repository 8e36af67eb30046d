// delta at an epsilon by the saddle point with its corrections, in floating point: a guess.
#pragma once

#include "accountants/query.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

struct RoughDelta {
  double log_delta;
  bool smooth;   ///< in the parameters; not where a few huge draws rule: rare ones are left out
  double order;  ///< the saddle point: log delta falls by about that much per unit of epsilon
};

/// The larger of the directions that are asked for; NaN where moments are not known.
RoughDelta rough_delta(const Composition& composition, DirectionChoice direction, double epsilon);

}  // namespace plaudit
