// Intervals with MPFR end points: the number type that leaves the library.
#pragma once

#include <boost/multiprecision/mpfr.hpp>

#include "lib/balls/ball.hpp"

namespace plaudit {

using Real = boost::multiprecision::mpfr_float;

/// A closed interval [lower, upper]; the ends may be infinite.
struct Interval {
  Real lower;
  Real upper;
};

/// Smallest interval (at the bits the ends of the ball need) that contains the ball. Ends beyond
/// MPFR's exponent range are replaced by 0 or an infinity on the safe side; a non-finite ball
/// gives the infinite ends it has.
Interval enclose(const Ball& x);

/// The ball that contains the interval; the whole real line where an end is infinite.
Ball enclosing_ball(const Interval& x);

/// The exact value of an MPFR number.
Ball exact_ball(const Real& x);

}  // namespace plaudit
