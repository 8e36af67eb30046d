// The simplest rational of an interval: that of least denominator, or the least integer in it.
#pragma once

#include "lib/exact/rational.hpp"

namespace plaudit {

/// Exact, of [low, high], 0 <= low <= high. @throws WorkLimitReached
Rational simplest_between(const Rational& low, const Rational& high);

}  // namespace plaudit
