// Integrals of |e^{w l}| and |e^{w l} - 1| along a path that is cut into pieces, bounded for all w
// of an arc of a hyperbola at once: docs/certificates/bent.md#norms.
//
// Pieces of intervals are added in intervals; those of balls in doubles, every operation rounded
// upward, which is a hundred times faster (lib/analysis/exponential_norms.hpp).
#pragma once

#include <vector>

#include "accountants/proof/kinds/hyperbola_arcs.hpp"
#include "lib/analysis/exponential_norms.hpp"

namespace plaudit::proof {

/// Bounds of int |phi dy| |e^{wl} - 1| and of int |phi dy| |e^{wl}|.
template <class Real>
struct Norms {
  Real minus_one;
  Real plain;
};

template <class Real>
class Pieces;

template <>
class Pieces<Interval> {
 public:
  /// A piece of the length times |dy/dx| `length`, where |phi| <= e^log_density and l differs from
  /// the value by at most the error.
  void add(const Interval& log_density, const Interval& length, const Complex& value,
           const Interval& error) {
    pieces_.push_back({top(exp(log_density) * length), value, error});
  }
  std::size_t size() const { return pieces_.size(); }
  /// Over all pieces.
  Norms<Interval> norms(const Arc<Interval>& arc) const;
  /// A bound of D(l), if it is positive, at the angle with this sine and cosine.
  Interval steepest(const Interval& sine, const Interval& cosine) const;

 private:
  struct Piece {
    Interval weight;  ///< bound of int |phi dy|
    Complex value;    ///< l in the middle
    Interval error;   ///< bound of how much l differs from it
  };
  std::vector<Piece> pieces_;
};

template <>
class Pieces<Ball> {
 public:
  void add(const Ball& log_density, const Ball& length, const ComplexBall& value,
           const Ball& error);
  std::size_t size() const { return pieces_.size(); }
  Norms<Ball> norms(const Arc<Ball>& arc) const;
  Ball steepest(const Ball& sine, const Ball& cosine) const;

 private:
  std::vector<DoublePiece> pieces_;
};

}  // namespace plaudit::proof
