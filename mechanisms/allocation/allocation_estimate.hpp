// log A(r) with two derivatives in floating point, A(r) = E (S/t)^r for the mean S/t of t lognormal
// variables X_i = e^(a y_i - a^2/2). Used for choices; enters no bound.
//
// By the Mellin transform of docs/proofs/random_allocation.md#mellin, as a trapezoidal sum in
// doubles; at orders too far out for that, by closed forms that A(r) is near there.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class AllocationEstimate {
 public:
  AllocationEstimate(double rate, double steps);

  /// log A(r), mean and variance of log(S/t) under the law tilted by r. From any thread.
  CumulantEstimate at(double r) const;
  /// log E (S/t)^m e^(-e^u S/t).
  double log_psi(int m, double u) const;
  /// The greatest m for which E X^m is within the range of doubles.
  int greatest_order() const { return greatest_order_; }

 private:
  /// log Psi_m(u) = log E (S/t)^m e^(-e^u S/t) at the points of a grid.
  struct Grid {
    double first = 0;
    std::vector<double> logs;
  };
  /// E X^k e^(-sX) / k! for k <= m, in units of e^front step / sqrt(2 pi).
  struct OneDraw {
    double front;
    std::vector<double> moments;
  };
  OneDraw of_one_draw(int m, double log_s) const;
  const Grid& grid(int m) const;
  CumulantEstimate computed(double r) const;
  CumulantEstimate summed(double c, double first, double step,
                          const std::vector<double>& logs) const;
  CumulantEstimate by_mellin(double r) const;
  CumulantEstimate far_left(double r) const;
  CumulantEstimate far_right(double r) const;

  double rate_;
  double steps_;
  int greatest_order_;
  int most_order_;  ///< of the grids
  double step_;     ///< of the rule for phi
  mutable std::mutex mutex_;
  mutable std::map<int, Grid> grids_;
  mutable std::map<double, CumulantEstimate> known_;
};

}  // namespace plaudit
