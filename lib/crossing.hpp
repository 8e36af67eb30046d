// Certified inversion of a non-increasing function.
//
// For f non-increasing on [floor, inf) and a number c, let x* = inf {x >= floor : f(x) <= c}
// (+inf where the set is empty). Two facts give every enclosure here, and nothing else does:
//   f(b) <= c certainly, b >= floor    implies  x* <= b;
//   f(a) >  c certainly, a >= floor    implies  x* >= a.
// The second needs the strict inequality: where f is constant = c beyond x*, f(a) >= c says nothing.
#pragma once

#include <functional>

#include "lib/ball.hpp"

namespace plaudit {

/// x* lies in [lower, upper]; both exact balls, upper possibly +inf.
struct Crossing {
  Ball lower;
  Ball upper;
};

/// @param f encloses a non-increasing function at an exact point >= floor. It may be wide: the
///   enclosure of x* then is.
/// @param target encloses c; f is compared with all of it.
/// @param floor exact. @param guess exact point near x* (heuristic).
/// @param relative_width wanted (upper - lower) / upper, as a power of two: 2^-bits.
Crossing crossing(const std::function<Ball(const Ball&)>& f, const Ball& target, const Ball& floor,
                  const Ball& guess, long bits);

}  // namespace plaudit
