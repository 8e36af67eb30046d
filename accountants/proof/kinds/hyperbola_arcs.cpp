#include "accountants/proof/kinds/hyperbola_arcs.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

// |w'|, Re w and Im w >= 0 increase along the arc.
// Proof: docs/certificates/bent.md#arc-integrals
template <class Real>
Real Hyperbola<Real>::measure(const Real& x1, const Real& x2) const {
  const ComplexOf<Real> begin = at(x1), end = at(x2);
  const Real height = imaginary_part(PLAUDIT_BOUND("hyperbola.height_of_arc", begin, end));
  Real distance(1);
  for (const int pole : {0, 1}) {
    const Real before = real_part(PLAUDIT_BOUND("hyperbola.pole_left_of_arc", begin, end));
    const Real after = real_part(PLAUDIT_BOUND("hyperbola.pole_right_of_arc", end, begin));
    const Real apart = max(max(before - Real(pole), Real(pole) - after), Real(0));
    distance *= sqrt(square(apart) + square(height));
  }
  const Real speed = abs(derivative(PLAUDIT_BOUND("hyperbola.speed_of_arc", x2, x1)));
  return top((x2 - x1) * speed / bottom(distance));
}

// Proof: docs/certificates/bent.md#gaussian-factors
template <class Real>
Real Hyperbola<Real>::gaussian_bound(const Real& mean, const Real& x1, const Real* x2) const {
  Real high = cosh(x1), wide = sinh(x1);
  const Real twice = square(cosine) - square(sine);
  const Real turn = (center - Real(Rational(1, 2))) * sine - scale * twice * high;
  if (PLAUDIT_BOUND("hyperbola.gaussian_factor_falls", !at_most(turn, Real(0)), false)) {
    require(x2 != nullptr, "bent: the Gaussian factors may grow beyond the last arc");
    high = hull(high, cosh(*x2));
    wide = hull(wide, sinh(*x2));
  }
  const Real real = center + scale * sine * high;
  const Real imaginary = scale * cosine * wide;
  return top(exp(mean * (real * (real - Real(1)) - square(imaginary))));
}

template struct Hyperbola<Ball>;
template struct Hyperbola<Interval>;

}  // namespace plaudit::proof
