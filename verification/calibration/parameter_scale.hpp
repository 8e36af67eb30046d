// The values that a calibration may try: their range, how far apart they are, and the short ones
// among them. Nothing here enters a bound: it chooses at which values the curve is asked.
#pragma once

#include <optional>

#include "verification/calibration/monotone.hpp"

namespace plaudit {

struct ScaleEnd {
  Rational value;
  bool open = false;  ///< the value itself is not allowed
};

class ParameterScale {
 public:
  /// @param from, to bounds of the search, where they are stated. @param digits significant digits
  ///   of the bracket. @throws SpecError: `from` or `to` is no value that the parameter may have.
  ParameterScale(const MonotoneParameter& parameter, const std::optional<Rational>& from,
                 const std::optional<Rational>& to, int digits);

  bool whole() const { return whole_; }
  const ScaleEnd& least() const { return least_; }
  const ScaleEnd& greatest() const { return greatest_; }
  /// The spec does not allow x: the range ends before it, seen from `allowed`.
  void exclude(const Rational& x, const Rational& allowed);

  bool contains(const Rational& x) const;
  /// Whether no value of the range lies beyond x, but for values that are close() to it.
  bool ends_at(const Rational& x, bool above) const;
  /// The last value that is allowed at an end; `known` where no other one is the last.
  Rational last_allowed(bool above, const Rational& known) const;
  Rational within(const Rational& x) const;

  /// log v: the logarithm of the distance from the least value of the parameter's domain; of that
  /// value itself -30 log 10.
  double log_value(const Rational& x) const;
  /// The value whose log_value() is this one, about.
  Rational value_at(double log_value) const;
  /// log_value(a) - log_value(b), without loss where they are close.
  double log_ratio(const Rational& a, const Rational& b) const;
  /// x moved by so much in log_value(), to a small relative error of the move.
  Rational moved(const Rational& x, double by) const;

  /// The distance of the decimals, or integers, at which a bracket near x may end.
  Rational spacing(const Rational& x) const;
  /// That distance in log_value().
  double cell(const Rational& x) const;
  /// Whether the ends of a bracket are as near to each other as they should be.
  bool close(const Rational& low, const Rational& high) const;
  /// A short decimal, or an integer, nearer to x than `error` (of log_value).
  Rational shortened(const Rational& x, double error) const;
  /// Halfway, in log_value where they are far apart; strictly between them.
  Rational between(const Rational& low, const Rational& high) const;
  /// Halvings that bring any bracket of this range to the digits, at most.
  int most_halvings() const;

 private:
  bool whole_;
  int digits_;
  Rational base_;  ///< what log_value() is counted from
  ScaleEnd least_;
  ScaleEnd greatest_;
};

}  // namespace plaudit
