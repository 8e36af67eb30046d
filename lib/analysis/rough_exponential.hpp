// e^x and e^x - 1 of many doubles at once, for choices: a few units in the last place, no bound.
//
// x = k log 2 + r, the series of e^r - 1 for |r| <= log(2) / 2, and 2^k from the bits of a double:
// no branches and no calls, so that compilers make vectors of it (glibc's own functions take one
// number each).
#pragma once

#include <span>

namespace plaudit {

/// Puts e^x in the place of each x; x beyond +-700 counts as +-700, a NaN as 700.
void rough_exp(std::span<double> x);

/// Likewise e^x - 1, to the same relative accuracy near 0.
void rough_expm1(std::span<double> x);

}  // namespace plaudit
