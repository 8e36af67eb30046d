// The power at a false positive rate from values of the privacy curve alone: where they are asked
// is chosen in floating point, towards the place where the curve lies lowest over the line of the
// rate.
//
// Every value bounds the power from above by its line, and all of them together from below by
// their secants (curve_cuts.hpp). Values of d digits serve for d digits of the power, and no tails
// are needed. Where the rate jumps, the secants of both sides meet next to the jump.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "verification/meaning/curve_cuts.hpp"
#include "verification/meaning/trade_off.hpp"

namespace plaudit {

/// Heuristic: how many digits the width lacks of those wanted of the power and of its complement.
int missing_digits_of_power(const Span& power, int digits);
/// A short number near x. @param log_step of the grid it lies on
Rational rounded_threshold(const Ball& x, double log_step);

class CurveSearch {
 public:
  /// 0 < fpr < 1. @param power what is known of it, and will be. @param score z with P(N > z) =
  /// fpr, N standard normal. @param narrower is called each time that more is known.
  CurveSearch(TradeOff& trade, const Rational& fpr, double score, int digits, Span& power,
              std::function<void()> narrower);

  /// Until the digits are there, or more values of the curve do not come nearer.
  void run();
  /// Values that were asked for.
  int values() const { return values_; }

 private:
  void ask(const Rational& x);
  struct Vertex {
    Ball x;
    Ball bend;  ///< half of the curvature
  };

  void list();
  void look();
  std::optional<Vertex> vertex(std::size_t i, std::size_t j, std::size_t k) const;
  std::optional<Rational> next_to_vertex() const;
  std::optional<Rational> next_place() const;
  std::vector<std::size_t> around() const;
  Ball left_open() const;
  bool refine_values();

  TradeOff& trade_;
  Ball fpr_;
  int digits_;
  Span& power_;
  std::function<void()> narrower_;
  double scale_;   ///< on which thresholds vary
  double centre_;  ///< where the threshold seems to be
  int asked_;      ///< digits of the values
  int values_ = 0;
  std::map<Rational, int> places_ = {};  ///< asked for, with their digits
  CutCurve curve_ = {};
  std::vector<std::optional<Rational>> listed_ = {};  ///< the places of the points of the curve
  LeastHeight least_ = {};
};

}  // namespace plaudit
