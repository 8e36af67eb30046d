// The library's own names beside those of plaudit/extend.hpp, and the ways between their numbers.
#pragma once

// Before the public names, which make these ambiguous.
#include "lib/balls/complex_ball.hpp"
#include "mechanisms/laws/finite_loss.hpp"

#include "api/core.hpp"

#include "plaudit/extend.hpp"

namespace plaudit::inline v0 {

/// The ball that contains the interval; infinite ends as infinite balls where both are one.
Ball to_ball(const Interval& x);
/// Outward at the working precision.
Interval to_interval(const Ball& x);
ComplexBall to_ball(const Complex& z);
Complex to_complex(const ComplexBall& z);

}  // namespace plaudit::inline v0
