// Lattice laws of different rational meshes on the coarsest mesh that holds them all.
#pragma once

#include <optional>
#include <vector>

#include "accountants/lattice/lattice_composition.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// The laws at the working precision on one mesh: their own where there is one law, the greatest
/// common one of rational meshes. Nothing where a loss is not on a lattice, two meshes are not both
/// rational, or the common mesh is too fine.
std::optional<std::vector<LatticeComposition::Factor>> on_common_lattice(
    const std::vector<ComposedLoss::Term>& terms);

}  // namespace plaudit
