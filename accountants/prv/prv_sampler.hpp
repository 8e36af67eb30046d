// Values of M on a line from the masses of the cells of a lattice: the mode deconvolved of `prv`.
//
// The masses p_j of the cells of width d around l_j = j d are those of the loss rounded to the
// lattice, and also d times the density of L + U at l_j, U uniform on a cell. So
//   sum_j p_j e^{z l_j} = S(z) [M(z) + sum_{m != 0} (-1)^m M(z_m) z / z_m],
//   S(z) = sinh(z d / 2) / (z d / 2),   z_m = z + 2 pi i m / d,
// and dividing by S undoes the rounding exactly, up to aliases (docs/proofs/prv.md#rounded).
#pragma once

#include "accountants/fourier/lattice_line.hpp"

namespace plaudit {

/// @param most_cells beyond which a line is refused (std::domain_error).
std::shared_ptr<const LatticeSampler> cell_sampler(double most_cells = 2097152);

}  // namespace plaudit
