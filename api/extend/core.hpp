// The names of api/core.hpp and plaudit/extend.hpp, and conversions between intervals and balls.
#pragma once

// In front of the public names, which would make those of these headers ambiguous.
#include "lib/balls/complex_ball.hpp"
#include "mechanisms/laws/finite_loss.hpp"

#include "api/core.hpp"

#include "plaudit/extend.hpp"

namespace plaudit::inline v0 {

/// A ball that contains the interval: exact at [inf, inf] and [-inf, -inf], and the whole line for
/// any other interval with an infinite end.
Ball to_ball(const Interval& x);
/// An interval that contains the ball, its ends rounded outward to the working precision.
Interval to_interval(const Ball& x);
ComplexBall to_ball(const Complex& z);
Complex to_complex(const ComplexBall& z);

}  // namespace plaudit::inline v0
