// The factors of a composition whose losses all lie on lattices with a common mesh.
#pragma once

#include <optional>
#include <vector>

#include "accountants/lattice/lattice_composition.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// The laws at the working precision, each on its own mesh, where a common mesh is known (that of
/// the only law, or the greatest common one of rational meshes): LatticeComposition puts them on
/// it. Nothing where a loss is not on a lattice, or the laws have too many points on that mesh.
std::optional<std::vector<LatticeComposition::Factor>> on_common_lattice(
    const std::vector<ComposedLoss::Term>& terms);

}  // namespace plaudit
