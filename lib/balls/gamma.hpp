// The gamma function: enclosed, and its logarithm in floating point for choices.
#pragma once

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// 1 / Gamma(z), entire.
ComplexBall reciprocal_gamma(const ComplexBall& z);

/// log |Gamma(x + iy)| for x > 0, in floating point: steers choices, enters no bound.
double estimate_log_gamma(double x, double y);

}  // namespace plaudit
