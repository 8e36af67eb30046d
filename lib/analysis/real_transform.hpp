// Discrete Fourier transforms of real sequences of any even length in binary64, for estimates: no
// bound. Half of the work and of the memory of a complex one.
#pragma once

#include <vector>

#include "lib/analysis/fft.hpp"

namespace plaudit {

/// y_k = sum_j x_j e^{-2 pi i j k / n} for k = 0 .. n / 2, n the size of x, even.
ComplexVector real_transform(std::vector<double>&& x);

/// Its inverse: x_j for j = 0 .. n - 1 from y_k for k = 0 .. n / 2, whose number is n / 2 + 1 >= 2.
std::vector<double> real_inverse(ComplexVector&& y);

}  // namespace plaudit
