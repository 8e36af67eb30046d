// z^n for many complex z: by logarithms and exponentials in fixed point, several times faster than
// those of balls, where that is accurate enough.
// Proof: docs/proofs/fixed_exponentials.md#powers
#pragma once

#include <cstdint>
#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// z^n for each z. Radii are n times those of z, relative to the numbers, and about 2^-bits n for
/// the working precision; of a z that may be 0, those of exp(n log z), which are infinite.
std::vector<ComplexBall> complex_powers(const std::vector<ComplexBall>& z, std::uint64_t n);

}  // namespace plaudit
