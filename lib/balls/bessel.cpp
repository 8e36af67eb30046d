#include "lib/balls/bessel.hpp"

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/arb_hypgeom.h>
#else
#include <arb_hypgeom.h>
#endif

#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {
constexpr double bessel_cost = 30;  ///< nominal, in logarithms
}

Ball bessel_i(long k, const Ball& x) {
  Ball result;
  arb_hypgeom_bessel_i(result.raw(), Ball(k).raw(), x.raw(), affordable_precision(bessel_cost));
  return result;
}

}  // namespace plaudit
