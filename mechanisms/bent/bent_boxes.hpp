// Upper bounds of integrals along the bent path and its two shifts, for whole arcs of w at once.
//
// With l = log(f / p_0) on the path and |e^u - 1| <= min(1 + e^{Re u}, |u| max(1, e^{Re u})):
//   plain(arc)     = int |phi(y) dy| sup_{w in arc} |e^{w l}|      >= |At(w)|,
//   minus_one(arc) = int |phi(y) dy| sup_{w in arc} |e^{w l} - 1|  >= |At(w) - 1|,
// At(w) = int phi e^{w l} dy being the factor's moment integral. The integral is a sum over boxes
// of xi plus two ends that are bounded in closed form, so an arc may be infinite.
#pragma once

#include <vector>

#include "mechanisms/bent/bent_path.hpp"
#include "mechanisms/bent/hyperbola.hpp"

namespace plaudit {

struct BentBound {
  Ball plain, minus_one;  ///< exact upper bounds; +inf where nothing could be proved
};

/// Outward bounds in double precision of what an arc contributes in a box.
struct DoubleArc {
  explicit DoubleArc(const HyperbolaArc& arc);
  double sine, cosine_low, coefficient_low, coefficient_high, growth_from, growth_to;
  double sine_low, cosine;
};

/// What steers the widths of boxes, and nothing else.
struct BoxWidths {
  BoxWidths(double growth_, double log_count_ = 0, double angle_ = 0)
      : growth(growth_), log_count(log_count_), angle(angle_) {}
  double growth;     ///< a typical exponent Re w
  double log_count;  ///< log of how often the factor occurs: so much smaller parts matter
  double angle;      ///< of the hyperbola on which D(l) <= 0 shall be seen, if it holds
  bool operator==(const BoxWidths&) const = default;
};

class BentBoxes {
 public:
  struct Box {
    double from, to;             ///< range of Re xi
    double log_mass;             ///< of an upper bound of int |phi dy| over the box
    double real_low, real_high;  ///< bounds of Re l / |l|
    double imaginary_low, imaginary_high;
    double least, most;  ///< bounds of |l|
    double spread;       ///< how loosely log l is enclosed; steers widths
  };
  /// The closed form beyond `left`: |l| <= log_bound, arg l in [least, largest].
  struct LeftEnd {
    Ball at, mass, density, log_bound, least_argument, largest_argument;
  };
  /// Beyond `right`: see the proof page for the names.
  struct RightEnd {
    Ball at, real_low, real_high, imaginary_low, correction, exponent, slope, constant;
  };

  /// The path shifted by i shift (a double, |shift| <= half_width), cut into boxes over
  /// [left, right]. @throws std::domain_error when the ends are not far enough out for the closed
  /// form of the rest.
  BentBoxes(const BentPath& path, double shift, double left, double right, const BoxWidths& widths);

  /// Bounds over the arc, as above.
  BentBound integral(const HyperbolaArc& arc) const;

  /// Upper bound of step * sum |phi(y) y'(xi) (e^{w l} - 1)| over the points xi = j step outside
  /// [first, last], for every w in the arc.
  Ball omitted(const HyperbolaArc& arc, const Ball& step, const Ball& first,
               const Ball& last) const;

  /// For every point of the path: Im l >= 0 and D(l) <= 0 at this hyperbola, certainly. Then both
  /// hold on all hyperbolas with a smaller angle, too.
  bool decays(const Hyperbola& hyperbola) const;

  std::size_t size() const { return boxes_.size(); }

  // The pieces of the bounds, for their tests.
  const std::vector<Box>& boxes() const { return boxes_; }
  const LeftEnd& left() const { return left_; }
  const RightEnd& right() const { return right_; }
  /// The box from <= Re xi <= to; v encloses the path there.
  Box make_box(const MixtureInV& in_v, double from, double to, const ComplexBall& v) const;
  /// What lies beyond the boxes: the integrals plus step times the greatest value.
  BentBound left_end(const HyperbolaArc& arc, const Ball& step) const;
  BentBound right_end(const HyperbolaArc& arc, const Ball& step) const;
  /// Upper bound of Re(w l) over the arc and the box; +inf where there is none.
  static double exponent_in(const Box& box, const DoubleArc& arc);

 private:
  void make_boxes(const MixtureInV& in_v, double left, double right, const BoxWidths& widths);
  void make_left(const MixtureInV& in_v, double left);
  void make_right(const MixtureInV& in_v, double right);
  bool left_decays(const Ball& angle_sine, const Ball& angle_cosine) const;
  bool right_decays(const Ball& angle_sine, const Ball& angle_cosine) const;
  /// Over all boxes; with a step, as points of the boxes that reach outside (first, last).
  BentBound sum(const HyperbolaArc& arc, const Ball* step, double first, double last) const;
  BentPath path_;
  double shift_;
  std::vector<Box> boxes_;
  LeftEnd left_;
  RightEnd right_;
};

}  // namespace plaudit
