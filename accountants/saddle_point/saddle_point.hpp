// Accountants that look at the composed loss through a normal approximation of its tilted law.
#pragma once

#include <memory>

#include "accountants/accountant.hpp"

namespace plaudit {

/// The normal approximation at a good order, with the Berry-Esseen bound as its error: certified.
std::shared_ptr<const Accountant> saddle_point_accountant();
/// The same without a tilt (order 0), as published before the saddle-point accountant: certified.
std::shared_ptr<const Accountant> berry_esseen_accountant();
/// Estimates at the saddle point: steepest descent with 2, 4 or 6 derivatives, and the normal one.
std::shared_ptr<const Accountant> saddle_point_msd_accountant();
std::shared_ptr<const Accountant> saddle_point_clt_accountant();

}  // namespace plaudit
