// A hyperbola in w and its arcs: what does not depend on the factors. docs/certificates/bent.md has
// the theorem; its sections are named in brackets.
#pragma once

#include "accountants/proof/arithmetic/balls.hpp"
#include "lib/mutant.hpp"

namespace plaudit::proof {

/// All w with Re(w l) = C Re l + S D(l), C in `level`, S >= 0 in `reach`, and |w| <= size.
template <class Real>
struct Arc {
  Real level, reach, size;
  Real sine, cosine;
};

/// w(x) = center + scale sin(angle + ix).
template <class Real>
struct Hyperbola {
  Hyperbola(const Real& center_, const Real& scale_, const Real& angle_)
      : center(center_), scale(scale_), angle(angle_), sine(sin(angle_)), cosine(cos(angle_)) {}

  ComplexOf<Real> at(const Real& x) const {
    return {center + scale * sine * cosh(x), scale * cosine * sinh(x)};
  }
  /// w'(x) = i scale cos(angle + ix).
  ComplexOf<Real> derivative(const Real& x) const {
    return {scale * sine * sinh(x), scale * cosine * cosh(x)};
  }
  Real crossing() const { return center + scale * sine; }
  /// C(x) = center + scale sin(angle) e^-x [Arcs].
  Real level(const Real& x) const { return center + scale * sine * exp(-x); }
  /// D(l) = sin(angle) Re l - cos(angle) Im l [Arcs].
  Real steepness(const ComplexOf<Real>& value) const {
    return sine * real_part(value) - cosine * imaginary_part(value);
  }
  /// 0 <= x1 <= x <= x2 [Arcs].
  Arc<Real> arc(const Real& x1, const Real& x2) const {
    const Real& far = PLAUDIT_BOUND("hyperbola.far_end_of_arc", x2, x1);
    return {hull(level(x1), level(far)), scale * hull(sinh(x1), sinh(far)),
            top(abs(center) + scale * cosh(far)), sine, cosine};
  }
  /// A bound of int |w'| / |w (w - 1)| dx over 0 <= x1 <= x <= x2, and of the same sum over points
  /// of it but the first one, times their distance.
  Real measure(const Real& x1, const Real& x2) const;
  /// A bound of |e^{mean w (w - 1)}| for x1 <= x <= x2, or for all x >= x1 where there is no x2.
  /// @throws Rejected where there is none.
  Real gaussian_bound(const Real& mean, const Real& x1, const Real* x2) const;

  Real center, scale, angle, sine, cosine;
};

}  // namespace plaudit::proof
