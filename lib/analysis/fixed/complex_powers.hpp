// z^n for many complex z: by logarithms and exponentials in fixed point, several times faster than
// those of balls, where that is accurate enough.
// Proof: docs/proofs/fixed_exponentials.md#powers
#pragma once

#include <cstdint>
#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// Encloses z^n for each z. Relative radii are about n times those of z and n 2^-precision. Where
/// fixed point does not do it is exp(n log z) in balls, which is not finite where z may be 0.
std::vector<ComplexBall> complex_powers(const std::vector<ComplexBall>& z, std::uint64_t n);

}  // namespace plaudit
