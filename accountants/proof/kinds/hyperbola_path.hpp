// The moment integral of one Gaussian mixture on a hyperbola in w, along a path in y that turns
// upwards on the right:
//   At(w) = int phi(y) (f(y) / p_0)^w dy,   f = sum_j p_j e^(a_j y - a_j^2/2), a_0 = 0.
// docs/certificates/bent.md has the theorem; its sections are named in brackets.
#pragma once

#include <optional>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/exponential_sums.hpp"
#include "accountants/proof/kinds/hyperbola_pieces.hpp"

namespace plaudit::proof {

/// f, and how often it occurs.
struct MixtureLaw {
  std::vector<Rational> rates;          ///< 0 = a_0 < a_1 < ...
  std::vector<Rational> probabilities;  ///< p_j > 0, sum 1
  unsigned long count = 1;
  Rational radicand = 1;  ///< > 0: a_i is rates[i] times its root
};

/// The path y(xi) = xi + i (rise + tilt S(xi)), S = bend log(1 + e^((xi - knee) / bend)), and the
/// points j step, first <= j <= last, on it.
struct PathChoices {
  Rational rise, tilt, knee, bend;
  Rational strip;  ///< |Im xi| up to which it is used
  Rational step;
  long first = 0, last = 1;
  Rational accuracy;  ///< relative, to which l = log(f / p_0) is known on a piece, in (0, 1)
};

/// Path and law at the working precision of their making.
template <class Real>
class MixtureOnPath {
 public:
  using Complex = ComplexOf<Real>;
  struct Logarithm {
    Complex value;
    std::optional<Real> error;  ///< none: not known
  };

  MixtureOnPath(const MixtureLaw& law, const PathChoices& path);

  /// y(x + i offset), and its derivative [The path].
  Complex at(const Real& x, const Rational& offset) const;
  Complex derivative(const Real& x) const;  ///< where offset = 0
  /// u(y) at a real y; 1 + q(y) is what it is beside its top component.
  Real excess(const Real& y) const;
  Real remainder(const Real& y) const;
  /// Whether all points with real parts from first to last, not further from the real axis than
  /// `height`, lie in D [The domain].
  bool in_domain(const Real& first, const Real& last, const Real& height) const;
  /// l(y) at a point of D, and how much it may differ from that within the radius in D [The
  /// domain].
  Logarithm log_ratio(const Complex& y, const Real& radius) const;
  /// log of a bound of sqrt(2 pi) |phi| within the radius of y [The path].
  static Real log_density(const Complex& y, const Real& radius);

  struct LeftEnd {
    Real mass;  ///< bound of int |phi dy|
    Real size;  ///< bound of |l|
  };
  struct RightPlace {
    Real real, height;  ///< of the asymptote
    Real drift;         ///< how far y may be from it
  };
  /// To the left of x [Ends]. @throws Rejected where x is not far enough out, as right_end does.
  LeftEnd left_end(const Real& x, const Rational& offset) const;
  RightPlace right_place(const Real& x, const Rational& offset) const;
  /// Bounds |l - (ay + b)| where Re y >= least.
  Real right_error(const Real& least) const;
  /// A bound of int |phi dy| e^{order Re l} to the right of x, order >= 0 [Ends].
  Real right_end(const Real& x, const Rational& offset, const Real& order) const;

  Real rise, tilt, knee, bend;
  std::vector<Real> rates, shifts;  ///< u(y) = sum e^{rate y + shift}
  Real front;                       ///< bounds |dy/dx| phi(0)
};

/// Bounds on the three paths y(x + i offset), offset = -strip, 0, strip.
template <class Real>
class MixturePath {
 public:
  /// @throws Rejected where the path does not fit the law.
  MixturePath(const MixtureLaw& law, const PathChoices& path, Budget& budget);

  unsigned long count() const { return law_.count; }
  Real log_base() const { return log(Real(law_.probabilities.front())); }
  /// Of the three paths.
  std::size_t pieces() const { return below_.size() + middle_.size() + above_.size(); }
  std::size_t points() const { return static_cast<std::size_t>(path_.last - path_.first + 1); }

  /// D(l) <= 0 <= Re l to the right of the pieces, on all paths of the strip, for this angle and
  /// smaller ones [Ends]. @throws Rejected where that is not certain.
  void check_right_end(const Hyperbola<Real>& hyperbola) const;
  /// E >= Re l - cot(g) Im l on the middle path for all angles between the two [Decay].
  Real growth_rate(const Hyperbola<Real>& inner, const Hyperbola<Real>& outer) const;
  /// On the middle path [Norms].
  Norms<Real> norms(const Arc<Real>& arc) const { return norms(middle_, 0, arc); }
  /// B with |At(w(x'))| <= B e^{scale sin(angle) E sinh x'} for all x' >= x [Decay].
  Real plain_beyond(const Hyperbola<Real>& hyperbola, const Real& x) const;
  /// What the rule differs from At(w), and what the points left out amount to [Quadrature in y].
  Real strip_error(const Arc<Real>& arc) const;
  Real tails(const Arc<Real>& arc) const;
  /// At the working precision.
  ExponentialRule<Real> rule() const;

 private:
  using Complex = ComplexOf<Real>;
  Pieces<Real> cover(const Rational& offset) const;
  /// To the left and to the right of the pieces.
  Norms<Real> ends(const Rational& offset, const Arc<Real>& arc) const;
  Norms<Real> norms(const Pieces<Real>& pieces, const Rational& offset, const Arc<Real>& arc) const;

  MixtureLaw law_;
  PathChoices path_;
  Budget* budget_;
  MixtureOnPath<Real> on_;
  Real left_, right_;  ///< ends of the pieces
  Pieces<Real> below_, middle_, above_;
};

}  // namespace plaudit::proof
