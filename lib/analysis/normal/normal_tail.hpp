// Upper bounds of the tail of the standard normal law, where no digits are needed: much faster than
// erfc. Proof: docs/proofs/tails.md#normal-tail
#pragma once

#include "lib/balls/ball.hpp"

namespace plaudit {

/// An exact number >= Phi(-x) for all x in the ball; above it by at most a few percent of it.
Ball normal_tail_above(const Ball& x);

}  // namespace plaudit
