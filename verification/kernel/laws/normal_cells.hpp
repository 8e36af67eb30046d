// The probabilities of a grid's cells under a normal distribution, as theories/Normal.v encloses
// them, bit for bit: from the densities at the grid's points and the inner integrals of Taylor's
// polynomials of degrees 5 and 6.
#pragma once

#include <vector>

#include "verification/kernel/laws/step_law.hpp"

namespace plaudit::kernel {

/// @param beta 1 / (points sigma)^2. @param densities at 0, 1, ... in units of 2^-T.
std::vector<Bounds> normal_cells(const Rational& beta, long T, long points,
                                 const std::vector<Bounds>& densities);

}  // namespace plaudit::kernel
