// Losses on one lattice beside losses of few sums: delta(eps) = sum_j p_j delta_lattice(eps - s_j).
//
// The sums are listed, but for those that are rare: what these contribute is bounded by the moment
// that they have, as in accountants/proof/kinds/atoms.hpp. For all that are listed the lattice's
// folded contour is summed once (accountants/lattice/lattice_composition.hpp).
// Proof: docs/proofs/lattice.md#shifted
#pragma once

#include <optional>
#include <vector>

#include "accountants/lattice/lattice_composition.hpp"
#include "accountants/lattice/lattice_split.hpp"

namespace plaudit {

/// Which sums are left out: about e^-nats of their law tilted by t > 0.
struct SumsLeftOut {
  double tilt;
  double nats;
};

class ShiftedLattice {
 public:
  /// @param on_lattice the laws of split.on_lattice. The others are listed at the working
  ///   precision. @param nats wanted near `epsilon`, as in LatticeComposition.
  ShiftedLattice(const LatticeSplit& split, std::vector<LatticeComposition::Factor> on_lattice,
                 double epsilon, double nats, SumsLeftOut left_out);

  /// Encloses the total delta. To the ledger of the lattice it adds lattice.left_out.
  Enclosure delta(const Ball& epsilon);

 private:
  std::vector<LatticeComposition::Shift> list(const LatticeSplit& split, double nats);
  Ball left_out(const Ball& epsilon) const;

  Ball tilt_;
  Ball infinite_;             ///< P that a loss beside the lattice is infinite
  Ball missing_moment_;       ///< upper bound of E[e^{tL}] over what is not listed
  Ball missing_at_infinity_;  ///< of P that the losses on the lattice are infinite then
  std::optional<LatticeComposition> composition_;
};

}  // namespace plaudit
