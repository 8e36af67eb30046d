// The rational losses of laws with atoms alone, with their masses. Losses far from the mean are
// left out; what that changes is bounded by the mass that is missing.
//
// Proof: docs/proofs/laplace.md#product
#pragma once

#include <map>
#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

struct UsualAtoms {
  std::map<Rational, Ball> masses;  ///< of each loss, or of a part of the draws that lead to it
  Ball missing;                     ///< all other finite mass, from above
};

/// Whether all finite losses are rational: on a lattice that is.
bool has_rational_losses(const PrivacyLoss& law);

/// Heuristic: about how many losses of so many draws are usual; infinite where that is not known.
double losses_within(const PrivacyLoss& law, double count, double nats);

/// The losses of all draws together, but for about e^-nats of the mass.
/// @throws std::domain_error where there are too many, or a law does not know its atoms.
UsualAtoms usual_atoms(const std::vector<ComposedLoss::Term>& terms, Direction direction,
                       double nats);

}  // namespace plaudit
