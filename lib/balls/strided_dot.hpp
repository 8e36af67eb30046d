// Dot products of a vector with every `stride`-th element of a table: values of a correlation.
#pragma once

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// sum_j a[j] b[j stride] over `count` elements of a.
Ball strided_dot(const Ball* a, const Ball* b, std::size_t stride, std::size_t count);
ComplexBall strided_dot(const ComplexBall* a, const ComplexBall* b, std::size_t stride,
                        std::size_t count);

}  // namespace plaudit
