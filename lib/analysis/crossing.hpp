// Certified inversion of a non-increasing function.
//
// For f non-increasing on [floor, inf) and a number c, let x* = inf {x >= floor : f(x) <= c}
// (+inf where the set is empty). Two facts give every enclosure here, and nothing else does:
//   f(b) <= c certainly, b >= floor    implies  x* <= b;
//   f(a) >  c certainly, a >= floor    implies  x* >= a.
// The second needs the strict inequality: where f is constant = c beyond x*, f(a) >= c says
// nothing.
#pragma once

#include <functional>
#include <optional>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// x* lies in [lower, upper]; both exact balls, upper possibly +inf.
struct Crossing {
  Ball lower;
  Ball upper;
};

/// @param f encloses a non-increasing function at an exact point >= floor. It may be wide (then
///   so is the enclosure of x*) or not finite (then that point proves nothing).
/// @param target encloses c; f is compared with all of it.
/// @param floor exact. @param guess exact point near x* (heuristic).
/// @param bits wanted relative width: upper - lower <= 2^-bits upper. A goal: reached where f is
///   narrow enough. What is proven is proven by calls of f at a working precision of at least
///   bits + 64; the search before that calls it at lower ones where bits are many.
Crossing crossing(const std::function<Ball(const Ball&)>& f, const Ball& target, const Ball& floor,
                  const Ball& guess, long bits);

/// The same where `root` is already the crossing to nearly so many bits: f is called at a quarter
/// of the wanted width on either side. Nothing where these two values do not prove an enclosure.
std::optional<Crossing> crossing_next_to(const std::function<Ball(const Ball&)>& f,
                                         const Ball& target, const Ball& floor, const Ball& root,
                                         long bits);

}  // namespace plaudit
