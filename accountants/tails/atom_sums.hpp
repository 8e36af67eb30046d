// The atoms of a sum of independent losses, where those of all of them are few and rational.
#pragma once

#include <map>
#include <optional>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// The lattice that holds all finite values of the sum, where all factors have one with the same
/// unit. Proof: docs/proofs/tails.md#lattice
std::optional<LossLattice> common_lattice(const ComposedLoss& loss);

/// P(L = x) for all x where it may be positive, at the working precision: nothing where that is not
/// known or too long a list. Proof: docs/proofs/tails.md#atoms-of-sums
std::optional<std::map<Rational, Ball>> atoms_of_sum(const ComposedLoss& loss);

}  // namespace plaudit
