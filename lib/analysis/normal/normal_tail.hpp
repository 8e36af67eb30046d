// Upper bounds of the tail of the standard normal law, where no digits are needed: much faster than
// erfc. Proof: docs/proofs/tails.md#normal-tail
#pragma once

#include "lib/balls/ball.hpp"

namespace plaudit {

/// An exact number >= Phi(-x) for all x in the ball, at most 0.2 % above the greatest Phi(-x).
Ball normal_tail_above(const Ball& x);

}  // namespace plaudit
