// Meshes of grids for privacy losses: numbers of few bits, whose multiples by numbers of cells are
// exact doubles. Choices: any mesh is valid.
#pragma once

#include "mechanisms/composition.hpp"

namespace plaudit {

/// A number of 12 bits at most x.
double short_mesh(double x);

/// x, or a little more where that puts the greatest loss of the law of most steps just above a grid
/// point, if it is an atom: the law below loses what it has beyond one, in each step. Of 32 bits.
double mesh_for_atoms(const ComposedLoss& loss, double x);

}  // namespace plaudit
