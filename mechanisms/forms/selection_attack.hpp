// True lower ends of private selection: what the best of K runs tells of a pair of data sets, for
// one order of the outputs of the base.
//
// The order: outputs that the second data set makes likelier come first, then the others by their
// likelihood ratio. A run that is released although the first ones were better tells that none of
// K runs was among them. Proof: docs/proofs/repeats.md#tests
#pragma once

#include <string>

#include "mechanisms/forms/later_mechanism.hpp"
#include "mechanisms/forms/repeats.hpp"

namespace plaudit {

/// @param base whose pair is that of two data sets, in each direction.
/// @param marked whether the base is every mechanism with its curve, so also one that says a mark
/// that no data decide. Others say what they say: their atoms are ranked whole.
BothLaws selection_attack(const Mechanism& base, const Repeats& repeats, bool marked,
                          const std::string& spec);

}  // namespace plaudit
