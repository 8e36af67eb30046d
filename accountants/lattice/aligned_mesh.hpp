// Meshes of grids: doubles of few bits, whose multiples by numbers of cells are doubles. Heuristic:
// any mesh is right.
#pragma once

#include "mechanisms/composition.hpp"

namespace plaudit {

/// A number of few bits at most x.
double short_mesh(double x);

/// The mesh, a little coarser where that puts the greatest loss of the law of most steps just above
/// a grid point, if it is an atom. The law below loses what it has beyond one.
double aligned_mesh(const ComposedLoss& loss, double mesh, double most_cells);

}  // namespace plaudit
