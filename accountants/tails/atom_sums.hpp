// The atoms of a sum of independent losses, where those of all of them are few and rational.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// What an ExactProduct of a composition may cost, in its units: about a quarter of a second.
inline constexpr double work_of_product = 5e5;

/// The lattice that holds all finite values of the sum, where all factors have one with the same
/// unit. Proof: docs/proofs/tails.md#lattice
std::optional<LossLattice> common_lattice(const ComposedLoss& loss);

/// P(L = x) for all x where it may be positive, at the working precision: nothing where that is not
/// known or too long a list. Proof: docs/proofs/tails.md#atoms-of-sums
std::optional<std::map<Rational, Ball>> atoms_of_sum(const ComposedLoss& loss);

/// All atoms of the sum in a window, or all of them, by increasing loss, at the working precision:
/// where all factors are finite laws known exactly, or their atoms are few and rational, or one of
/// them has none. Nothing otherwise.
std::optional<std::vector<LossAtom>> listed_atoms_of_sum(const ComposedLoss& loss,
                                                         const std::optional<LossWindow>& window);

}  // namespace plaudit
