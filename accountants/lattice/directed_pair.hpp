// The two laws of grid_pair.hpp in doubles, from integrals over half cells (Gaussian mixtures).
//
// Every mass is a double that was rounded towards the safe side, the errors of the integrals
// included: up in the pessimistic law, down in the optimistic one. So the laws are exact measures,
// and their curves lie above and below that of the loss whatever the errors were.
// Proof: docs/proofs/blocks.md#upper, docs/proofs/blocks.md#lower
#pragma once

#include "accountants/lattice/grid_pair.hpp"
#include "mechanisms/direction.hpp"

namespace plaudit {

/// For laws and meshes that knows_cells (mechanisms/cells/cell_integrals.hpp).
GridPair directed_pair(const PrivacyLoss& loss, Direction direction, double mesh,
                       GridWindow window);

}  // namespace plaudit
