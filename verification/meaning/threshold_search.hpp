// The threshold of the best test at a false positive rate, sought in floating point: by secants of
// normal scores, by Newton's rule where the rate is smooth, and by lines where it jumps; or by
// values of the privacy curve alone (curve_search.hpp). What it asks for is certified by the
// trade-off function, and encloses the power however well the search guessed.
#pragma once

#include <optional>

#include "verification/meaning/trade_off.hpp"

namespace plaudit {

/// One question. The threshold is sought among the numbers between `left`, where Q(L > x) is at
/// least the rate, and `right`, where it is at most that.
class ThresholdSearch {
 public:
  /// 0 < fpr < 1. Both, and the listener, outlive the search.
  ThresholdSearch(TradeOff& trade, const Rational& fpr, int digits, const BandListener& proven)
      : trade_(trade), fpr_(fpr), digits_(digits), proven_(proven) {}

  /// Which way comes first; the other one follows where that does not reach the digits.
  enum class First { tests, curve };

  PowerBand run(First first);

 private:
  using Threshold = TradeOff::Threshold;

  const Threshold& known_at(const Rational& x) const { return trade_.thresholds().at(x); }
  /// z with P(N > z) = rate, N standard normal, by the smaller of both tails.
  static double score_of(const Span& rate);
  void enclose_band();
  int missing() const;
  void tell() const;
  void search(First first);
  void by_tests();
  void by_curve();
  void approach();
  bool refine_smooth();
  void refine_jump();
  void take(const Rational& x, int digits);
  std::optional<Rational> log_slope_of_chord(int digits) const;

  TradeOff& trade_;
  const Rational& fpr_;
  int digits_;
  const BandListener& proven_;
  double score_ = 0;  ///< z with P(N > z) = fpr, N standard normal
  std::optional<Rational> left_ = {};
  std::optional<Rational> right_ = {};
  double left_score_ = 0;
  double right_score_ = 0;
  double scale_ = 1;     ///< by which thresholds move as the score rises by 1
  Rational latest_ = 0;  ///< the threshold certified last
  double latest_score_ = 0;
  bool smooth_ = false;  ///< it is near enough for Newton's rule
  PowerBand band_ = {};
};

}  // namespace plaudit
