// Meshes of grids for privacy losses: numbers of few bits, whose multiples by numbers of cells are
// exact doubles. Choices: any mesh is valid.
#pragma once

#include "mechanisms/composition.hpp"

namespace plaudit {

/// The greatest number of 12 bits that is at most x > 0.
double short_mesh(double x);

/// About x: where the law of most steps has an atom at its greatest loss, such that this lies just
/// above a grid point; the lower law moves it down to that point in each step. At most 32 bits.
double mesh_for_atoms(const ComposedLoss& loss, double x);

}  // namespace plaudit
