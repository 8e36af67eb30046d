// The discrete Fourier transform of balls, by Arb.
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// sum_k x_k e^(-2 pi i j k / N) for j < N, of numbers with x_k = x_(N-k), where it is real.
/// @param even N = 2^e of them, e >= 0.
std::vector<Ball> transform_of_even(const std::vector<Ball>& even);

}  // namespace plaudit
