#include "lib/analysis/gaussian_sum.hpp"

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/acb_modular.h>
#else
#include <acb_modular.h>
#endif

#include "lib/balls/precision.hpp"

namespace plaudit {

// e^{-c^2/(2v)} theta_3(c / (2 pi i v), i / (2 pi v)). The sum has period 1 in c: an integer near
// Re c is taken off first, as otherwise one factor is huge and the other tiny.
ComplexBall gaussian_sum(const ComplexBall& centre, const Rational& variance) {
  Ball whole;
  arb_floor(whole.raw(), centre.real().middle().raw(), working_precision() + 64);
  const bool exact = whole.is_exact();
  ComplexBall c = exact ? centre - ComplexBall(whole) : centre;
  const Ball inverse = Ball(Rational(1 / variance));
  const ComplexBall tau(Ball(0), inverse / ldexp(pi(), 1));
  const ComplexBall z = c * ComplexBall(Ball(0), -(inverse / ldexp(pi(), 1)));
  ComplexBall theta[4];
  acb_modular_theta(theta[0].raw(), theta[1].raw(), theta[2].raw(), theta[3].raw(), z.raw(),
                    tau.raw(), working_precision());
  return exp(-square(c) * ComplexBall(ldexp(inverse, -1))) * theta[2];
}

}  // namespace plaudit
