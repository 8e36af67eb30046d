// The contour of the bent-contour engine: one branch of a hyperbola that opens to the right.
//
//   w(x) = center + scale (sin g cosh x + i cos g sinh x),  0 < g < pi/2,  x real,
//
// with asymptotes at the angles +-(pi/2 - g). It meets the real axis once, at center + scale sin g.
// w(x + i nu) is the same formula with g - nu, so a strip of x sweeps the hyperbolas of a range of
// angles. Everything here is exact up to ball arithmetic.
#pragma once

#include "lib/balls/ball.hpp"
#include "lib/balls/complex_ball.hpp"

namespace plaudit {

class Hyperbola {
 public:
  Hyperbola(const Ball& center, const Ball& scale, const Ball& angle)
      : center_(center), scale_(scale), angle_(angle), sine_(sin(angle)), cosine_(cos(angle)) {}

  const Ball& center() const { return center_; }
  const Ball& scale() const { return scale_; }
  const Ball& angle() const { return angle_; }
  const Ball& sine() const { return sine_; }
  const Ball& cosine() const { return cosine_; }

  /// Where it meets the real axis.
  Ball crossing() const { return center_ + scale_ * sine_; }
  Ball real(const Ball& x) const { return center_ + scale_ * sine_ * cosh(x); }
  ComplexBall point(const Ball& x) const { return {real(x), scale_ * cosine_ * sinh(x)}; }
  /// w'(x).
  ComplexBall derivative(const Ball& x) const {
    return {scale_ * sine_ * sinh(x), scale_ * cosine_ * cosh(x)};
  }

 private:
  Ball center_, scale_, angle_, sine_, cosine_;
};

/// What bounds on the arc x1 <= x <= x2 (or x >= x1) of a hyperbola need. For every l in the
/// closed upper half plane and every w on the arc
///   Re(w l) = c Re l + scale sinh(x) D(l),  c = center + scale sin(g) e^-x,
///   D(l) = sin(g) Re l - cos(g) Im l.
struct HyperbolaArc {
  HyperbolaArc(const Hyperbola& hyperbola, const Ball& from, const Ball& to);
  /// The infinite arc x >= from.
  HyperbolaArc(const Hyperbola& hyperbola, const Ball& from);

  Ball sine, cosine;
  Ball coefficient;  ///< encloses all values of c
  Ball growth_from;  ///< scale sinh(from)
  Ball growth_to;    ///< scale sinh(to); unused when infinite
  Ball modulus;      ///< upper bound of |w|; unused when infinite
  bool infinite;
};

}  // namespace plaudit
