// Choices for sums over combinations of atoms (accountants/proof/kinds/atoms.hpp), in floating
// point: how the composition is halved, and which combinations are kept.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "accountants/proof/kinds/atoms.hpp"

namespace plaudit {

/// Combinations in a half at most.
inline constexpr std::size_t most_atom_points = std::size_t{1} << 19;

/// A factor of the composition as plans see it.
struct AtomFactor {
  std::vector<double> log_masses;  ///< log P(L = loss) of each atom
  std::vector<double> losses;
  std::uint64_t count = 1;
  std::optional<std::pair<long, long>> outcomes = {};  ///< of discrete noise
};

struct AtomsPlan {
  proof::AtomsChoices choices;
  double outer_points = 1;  ///< combinations that are kept, unless some are merged
  double inner_points = 1;
};

/// Leaves out combinations that are less likely than e^-nats under the law tilted by t >= 0.
/// @throws std::domain_error where there are too many others, or no atom that matters.
AtomsPlan plan_atoms(const std::vector<AtomFactor>& factors, double tilt, double nats);

/// For certificates: each atom's number of draws is limited to a window, and nothing else is left
/// out, about e^-nats of the mass in all. @throws std::domain_error as above.
AtomsPlan plan_atom_windows(const std::vector<AtomFactor>& factors, double nats);

/// Bits at which such a sum for so many steps is accurate to e^-nats relative to itself, and to
/// e^-kept of the whole mass.
double bits_of_atom_windows(double steps, double nats, double kept);

}  // namespace plaudit
