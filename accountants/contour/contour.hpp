// Accountant `contour`: the privacy curve as a contour integral of the moment generating function.
//
// Five kinds of contours (contour_engines): a vertical line, one whose period reaches an end of the
// support, one after rare draws were moved to infinity, a hyperbola, and the Gaussian sandwich. The
// cheapest by its cost model is made first. Its nodes serve all queries near their epsilon.
#pragma once

#include "accountants/accountant.hpp"

namespace plaudit {

std::shared_ptr<const Accountant> contour_accountant();

}  // namespace plaudit
