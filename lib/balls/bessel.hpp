// The modified Bessel function of the first kind, by Arb.
#pragma once

#include "lib/balls/ball.hpp"

namespace plaudit {

/// I_k(x) of an integer order k >= 0, for x > 0.
Ball bessel_i(long k, const Ball& x);

}  // namespace plaudit
