// Accountant `contour`: the privacy curve as a contour integral of the moment generating function.
//
// A straight line (straight_contour) for the bulk of cases, a hyperbola (hyperbola_contour) for few
// compositions and rare events; the cheaper one by a cost model is tried first. Nodes are shared by
// all queries near the epsilon they were made for.
#pragma once

#include "accountants/accountant.hpp"

namespace plaudit {

std::shared_ptr<const Accountant> contour_accountant();

}  // namespace plaudit
