// Discrete Gaussian noise, phi(k) = e^{-k^2/(2v)} / Theta: its tails, and its moments on vertical
// lines. Theorems: docs/proofs/discrete.md#gaussian-tails, docs/certificates/lattice.md#noise.
#pragma once

#include <utility>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/intervals.hpp"

namespace plaudit::proof {

/// An enclosure, and what of its width is owed to terms left out.
struct Tail {
  Interval value;
  Interval rest;
};

/// How many terms of sums over discrete noise are taken, exactly, so that both checkers take as
/// many (docs/certificates/costs.md): of e^{-k^2/(2v)}, of e^{-2 pi^2 v k^2}, of theta.
Integer direct_terms(const Rational& variance, long bits);
Integer dual_terms(const Rational& variance, long bits);
Integer theta_terms(const Rational& variance, long bits);

/// sum over all integers k of e^{-k^2/(2v)}
Interval discrete_gaussian_normaliser(const Rational& variance, Budget& budget);

/// T(j) = sum_{k >= j} phi(k).
class NoiseTails {
 public:
  NoiseTails(const Rational& variance, Budget& budget);
  Tail at(const Integer& j) const;

 private:
  Rational variance_;
  Budget* budget_;
  Interval theta_;
};

/// F(x) = e^{-mu z} M(z) at z = t + 2 pi i x v / D, mu = D^2/(2v): of period 1 in x,
///   F(x) = e^{mu t^2} / theta * sum_m e^{-2 pi^2 v (x+m)^2} e^{2 pi i D t (x+m)}.
class NoiseLine {
 public:
  NoiseLine(const Rational& variance, const Integer& sensitivity, const Interval& t,
            Budget& budget);

  Complex at(Rational x) const;
  /// For all x of an interval.
  Complex near(const Interval& x) const;
  /// Bounds |F| wherever x or more separates from the next integer, 0 <= x <= 1/2.
  Interval bound(const Rational& x) const;
  /// Interval operations of one value.
  double cost() const { return 40.0 * (2 * static_cast<double>(reach_) + 1); }

 private:
  /// The sum over |m| <= reach at x, and what is left out for |x| <= most.
  Complex sum_at(const Interval& x, const Rational& most) const;
  Interval beyond(const Rational& most) const;

  Interval rate_;  ///< 2 pi^2 v
  Interval turn_;  ///< 2 pi D t
  Interval front_;
  long reach_;
};

/// The integer next to q.
Integer nearest_to(const Rational& q);
/// A double near the lower end: for writers, never for a bound.
double estimate(const Interval& x);

}  // namespace plaudit::proof
