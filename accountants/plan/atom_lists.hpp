// The atoms of the laws of a composition, as sums over their combinations take them.
#pragma once

#include <optional>
#include <vector>

#include "accountants/plan/atoms_plan.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// Of all factors, atoms by increasing loss.
struct AtomLists {
  std::vector<std::vector<proof::AtomOf<Ball>>> atoms;
  std::vector<AtomFactor> factors;  ///< the same for plans
  bool whole = true;                ///< no atom is missing
};

/// At the working precision: the atoms that matter under the laws tilted by t, but for about
/// e^-nats of them. Nothing where a law has a continuous part.
std::optional<AtomLists> atom_lists(const ComposedLoss& loss, double tilt, double nats);

}  // namespace plaudit
