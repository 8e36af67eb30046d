// Moments of discrete Gaussian noise, phi(k) proportional to e^{-k^2/(2v)} on the integers, shifted
// by D against itself, on a vertical line. Theorem: docs/certificates/lattice.md#noise.
#pragma once

#include <vector>

#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/budget.hpp"

namespace plaudit::proof {

/// Nats at which a term is below a working precision.
long nats_kept(long bits);
/// @throws Rejected where there are too many terms of a sum.
long checked_terms(const Integer& terms);
/// How many terms of sums of e^{-2 pi^2 v k^2} are taken, exactly, so that both checkers take as
/// many (docs/certificates/costs.md).
Integer dual_terms(const Rational& variance, long bits);
/// The integer next to q.
Integer nearest_to(const Rational& q);

/// F(x) = e^{-mu z} M(z) at z = t + 2 pi i x v / D, mu = D^2/(2v): of period 1 in x,
///   F(x) = e^{mu t^2} / theta * sum_m e^{-2 pi^2 v (x+m)^2} e^{2 pi i D t (x+m)}.
/// The sum runs over |m| <= R, R the number of dual terms; the rest is bounded.
template <class Real>
class NoiseOnLine {
 public:
  /// @param variance v. @param sensitivity D.
  NoiseOnLine(const Rational& variance, const Integer& sensitivity, const Real& t, Budget& budget);

  ComplexOf<Real> at(Rational x) const;
  /// For all x of an enclosure.
  ComplexOf<Real> near(const Real& x) const;
  /// Bounds |F| wherever x or more separates from the next integer, 0 <= x <= 1/2.
  Real bound(const Rational& x) const;
  /// log M(t).
  Real log_moment() const;
  /// Operations of one value.
  double cost() const { return 40.0 * (2 * static_cast<double>(reach_) + 1); }

 private:
  Real beyond(const Rational& most) const;

  Real rate_;                           ///< 2 pi^2 v
  Real turn_;                           ///< 2 pi D t
  Real shift_;                          ///< mu t
  Real front_;                          ///< e^{mu t^2} / theta
  std::vector<ComplexOf<Real>> terms_;  ///< e^{-2 pi^2 v m^2} e^{2 pi i D t m}
  long reach_;
};

}  // namespace plaudit::proof
