// At which value a calibration asks the curve next: guesses in floating point, which enter no
// bound.
//
// Where one side is known, each value lies farther beyond it than the one before, so that the other
// side is found, or the end of the range reached, within a number of queries that depends on the
// digits alone. Where both are known, the secant rule in logarithms is tried; a bracket that it
// does not make half as wide within `patience` queries is halved.
#pragma once

#include <functional>
#include <optional>

#include "verification/calibration/bracket.hpp"

namespace plaudit {

/// Significant digits of a query that only tells on which side of the target a value is: fewer are
/// hardly cheaper.
inline constexpr int few_digits_of_side = 6;

/// log(delta / target) in floating point at a value of log_value(); NaN where it is not known.
using RoughExcess = std::function<double(double log_value)>;

/// What is guessed of the curve before it is asked.
struct RoughPicture {
  RoughExcess excess;
  double slope = 0;  ///< d excess / d log_value at the threshold; 0 where it is not known
  bool smooth = true;
};

class NextValue {
 public:
  struct Guess {
    Rational x;
    int digits;
  };

  /// @param most_digits of a query.
  NextValue(const ParameterScale& scale, const Bracket& bracket, const RoughPicture& rough,
            bool falls, int most_digits);

  /// For a bracket without undecided values, with at least one side.
  Guess next();
  /// The same where values were not decided: nearer to, or beyond, an end of their region.
  Guess next_edge();
  bool edges_are_close() const { return !low_edge_is_open() && !high_edge_is_open(); }

  /// Values that a search tries at most, whatever the curve is.
  int most_values() const;

 private:
  struct Step {
    double by;     ///< of log_value
    double doubt;  ///< by how much that may be off
  };

  const Point& best() const;
  std::optional<Step> newton(const Point& best);
  std::optional<double> by_moved_rough_curve(const Point& best, const Point* other, double by,
                                             double slope) const;
  Guess beyond();
  Guess near_root(const Rational& root, double doubt) const;
  bool is_idle();
  bool fits(const Rational& x) const { return scale_.contains(x) && bracket_.is_inside(x); }
  int digits_for(double distance) const;
  bool low_edge_is_open() const;
  bool high_edge_is_open() const;
  double region() const;
  Rational beyond_doubt(const Point& end, double far) const;

  const ParameterScale& scale_;
  const Bracket& bracket_;
  const RoughPicture& rough_;
  bool falls_;
  int most_digits_;
  double slope_ = 1;   ///< |d log(delta / target) / d log v|, as last guessed
  int one_sided_ = 0;  ///< values given while one side was known
  int edges_ = 0;      ///< values given by next_edge()
  int idle_ = 0;       ///< queries since the bracket was width_ wide
  double width_;       ///< of log v
};

}  // namespace plaudit
