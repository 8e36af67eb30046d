// Integer moments of the likelihood ratio W of a random participation, under Q.
//
// E W^k = sum over k patterns of prod w_T exp(sum over pairs <m_T, m_T'>): a sum over how many of
// the k patterns are in which state, row by row (separated draws) or bin by bin (balls in bins).
// Proof: docs/proofs/random_participation.md#moments
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/participation/random_participation.hpp"

namespace plaudit {

/// E W^k for k = 0, 1, ..., as far as affordable; at the working precision.
std::vector<Ball> participation_moments(const RandomParticipation& scheme);

}  // namespace plaudit
