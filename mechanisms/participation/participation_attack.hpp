// Lower ends of a random participation: tests of its outputs, with their probabilities.
//
// Of two states the label of a grid, an approximation of the likelihood ratio. Else the greatest of
// the sums <m, y> over the pieces that a record may take part in, above a threshold: P has it at
// least by one piece, Q at most by all. And the sum of all rows. Proof:
// docs/proofs/random_participation.md#tests
#pragma once

#include <string>

#include "mechanisms/mechanism.hpp"
#include "mechanisms/participation/random_participation.hpp"

namespace plaudit {

/// The pair of these tests; null where they tell nothing.
MechanismPointer participation_attack(const RandomParticipation& scheme, const std::string& spec);

}  // namespace plaudit
