// The inner half of the kind `bent`: one mixture on bent paths, and the hyperbola in w.
// docs/certificates/bent.md has the theorem; its sections are named in brackets.
#pragma once

#include <optional>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/laws/reader.hpp"

namespace plaudit::proof::bent {

/// w(x) = center + scale sin(angle + ix).
class Hyperbola {
 public:
  Hyperbola(const Interval& center, const Interval& scale, const Interval& angle);

  Complex at(const Interval& x) const;
  /// w'(x) = i scale cos(angle + ix).
  Complex derivative(const Interval& x) const;
  Interval crossing() const { return center + scale * sine; }
  /// C(x) = center + scale sin(angle) e^-x [Arcs].
  Interval level(const Interval& x) const;
  /// D(l) = sin(angle) Re l - cos(angle) Im l [Arcs].
  Interval steepness(const Complex& value) const { return sine * value.re - cosine * value.im; }

  Interval center, scale, angle, sine, cosine;
};

/// cosh x and sinh x.
Interval up(const Interval& x);
Interval across(const Interval& x);

/// Bounds of int |phi dy| |e^{wl} - 1| and of int |phi dy| |e^{wl}|.
struct Norms {
  Interval minus_one;
  Interval plain;
};

/// One mixture on the paths y(x + i offset), offset = -strip, 0, strip [The path].
class Path {
 public:
  struct Point {
    Complex weight;  ///< d dy/dx phi(y)
    Complex value;   ///< l(y)
  };

  Path(Fields& fields, const Mixture& law, unsigned long count, Budget& budget);

  unsigned long count() const { return count_; }
  const Interval& loss() const { return loss_; }  ///< -log p_0
  /// Of the three paths.
  std::size_t pieces() const { return below_.size() + middle_.size() + above_.size(); }
  std::size_t points() const { return static_cast<std::size_t>(last_ - first_ + 1); }

  /// D(l) <= 0 <= Re l to the right of the pieces, on all paths of the strip, for this angle and
  /// smaller ones [Ends]. @throws Rejected where that is not certain.
  void check_right_end(const Hyperbola& hyperbola) const;
  /// E >= Re l - cot(g) Im l on the middle path for all angles between the two [Decay].
  Interval growth_rate(const Hyperbola& inner, const Hyperbola& outer) const;
  /// For all w of an arc x1 <= x <= x2, on the middle path [Norms].
  Norms norms(const Hyperbola& hyperbola, const Interval& x1, const Interval& x2) const;
  /// B with |At(w(x'))| <= B e^{scale sin(angle) E sinh x'} for all x' >= x [Decay].
  Interval plain_beyond(const Hyperbola& hyperbola, const Interval& x) const;
  /// What the rule differs from At(w(x)), and what the points left out amount to, 0 <= x <= end
  /// [Quadrature in y].
  Interval strip_error(const Hyperbola& hyperbola, const Interval& end) const;
  Interval tails(const Hyperbola& hyperbola, const Interval& end) const;
  std::vector<Point> rule() const;

 private:
  struct Piece {
    Interval weight;  ///< bound of int |phi dy|
    Complex value;    ///< l in the middle
    Interval error;   ///< bound of how much l differs from it
  };
  using Cover = std::vector<Piece>;
  struct Logarithm {
    Complex value;
    std::optional<Interval> error;
  };
  struct Place {
    Complex y;
    Complex derivative;
  };
  struct RightPlace {
    Interval real, height;  ///< of the asymptote
    Interval drift;         ///< how far y may be from it
  };
  struct LeftEnd {
    Interval mass;  ///< bound of int |phi dy|
    Interval size;  ///< bound of |l|
  };

  Place at(const Interval& x, const Rational& offset) const;
  Interval excess(const Interval& y) const;
  Interval remainder(const Interval& y) const;
  bool in_domain(const Interval& first, const Interval& last, const Interval& height) const;
  Logarithm log_ratio(const Complex& y, const Interval& radius) const;
  Cover cover(const Rational& offset) const;
  LeftEnd left_end(const Rational& offset) const;
  RightPlace right_place(const Rational& offset) const;
  Interval right_error(const Interval& least) const;
  Interval right_end(const Rational& offset, const Interval& order) const;
  Norms norms(const Cover& cover, const Rational& offset, const Hyperbola& hyperbola,
              const Interval& x1, const Interval& x2) const;

  Budget* budget_;
  unsigned long count_;
  Rational strip_, step_, left_, right_;
  Interval rise_, tilt_, knee_, bend_;
  Rational accuracy_;
  long first_, last_;
  std::vector<Interval> rates_, shifts_;  ///< u(y) = sum e^{rate y + shift}
  Interval loss_, front_;                 ///< front bounds |dy/dx| phi(0)
  Cover below_, middle_, above_;          ///< offset -strip, 0, strip
};

}  // namespace plaudit::proof::bent
