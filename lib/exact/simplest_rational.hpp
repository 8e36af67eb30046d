// The simplest rational of an interval: the one of least denominator (and, among integers, the
// least).
#pragma once

#include "lib/exact/rational.hpp"

namespace plaudit {

/// 0 <= low <= high. @throws WorkLimitReached
Rational simplest_between(const Rational& low, const Rational& high);

}  // namespace plaudit
