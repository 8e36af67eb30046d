// The rational that a double is: in the product, doubles become exact numbers in one place only.
#pragma once

#include "lib/exact/checked_integer.hpp"

namespace plaudit::test {

inline Rational exactly(double x) { return checked_rational(x, "the number of a test"); }

}  // namespace plaudit::test
