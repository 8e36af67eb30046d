// Upper bounds of a privacy curve from integer moments of the likelihood ratio W under Q.
//
// For r < x every w >= 0 has (w - x)_+ <= c (w - r)^(2m) and <= c w (w - r)^(2m) / x, and for r > x
// (x - w)_+ <= c (w - r)^(2m), with c = c(|x - r|, 2m), the same in both: so E (W - r)^(2m) and E W
// (W - r)^(2m) bound E (W - x)_+ and E (x - W)_+. The least of several r and m is taken. Proof:
// docs/proofs/random_participation.md#polynomials
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/laws/curve_bound.hpp"

namespace plaudit {

class CurveFromMoments {
 public:
  /// @param moments E W^k for k = 0, 1, 2, ..., E W = 1. To be used at the same precision.
  explicit CurveFromMoments(const std::vector<Ball>& moments);

  struct Bound {
    Ball value;
    MomentChoice choice;  ///< of the order 0 where no moment says anything
  };
  /// At least E (W - x)_+, x > 0.
  Bound above(const Ball& x) const;
  /// At least E (x - W)_+, x > 0.
  Bound below(const Ball& x) const;

 private:
  /// E (W - r)^order, or E W (W - r)^order.
  struct Power {
    Ball r;
    unsigned order;
    bool times_w;
    Ball mean;
    double place;     ///< r, about
    double log_mean;  ///< of the mean, about
  };
  Bound best(const Ball& x, bool above) const;

  std::vector<Power> powers_;
};

}  // namespace plaudit
