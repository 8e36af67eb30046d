// Where the losses of a law lie on a lattice, with their masses, as accountants/proof/kinds/ takes
// them.
#pragma once

#include "accountants/proof/kinds/lattice_factor.hpp"
#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// @throws Rejected where the law is not known to be on a lattice.
LawOnLattice<Interval> law_on_lattice(const Law& law);

}  // namespace plaudit::proof
