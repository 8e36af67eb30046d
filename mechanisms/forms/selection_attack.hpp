// True lower ends of private selection: what the best of K runs tells of a pair of data sets, for
// one order of the outputs of the base in each direction.
//
// The order: outputs of loss at most some v come first, then the others, the highest loss first. A
// run that is released although the first ones were better tells that none of K runs was among
// them. Proof: docs/proofs/repeats.md#tests
#pragma once

#include <string>

#include "mechanisms/forms/later_mechanism.hpp"
#include "mechanisms/forms/repeats.hpp"

namespace plaudit {

/// @param base whose pair is that of two data sets, in each direction (Attained::yes). Where it
/// stands for every mechanism with its curve, one is taken that also outputs a uniform mark; of any
/// other base the atoms are ranked whole.
BothLaws selection_attack(const Mechanism& base, const Repeats& repeats, const std::string& spec);

}  // namespace plaudit
