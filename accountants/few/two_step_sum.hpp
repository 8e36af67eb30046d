// The curve of two Poisson-sampled Gaussian steps as one trapezoidal sum.
//
// With 1 + u(y) = f(y) / (1 - q) for each step, f the likelihood ratio, u = odds e^{y/s -
// 1/(2s^2)}, y ~ N(0, 1), and b > 0:
//   g(b) = E(1 - (1 + u_1)(1 + u_2) / (1 + b))_+
//        = int s_1 phi(y_1(X)) h(b') dv / (1 + e^v),   X = b e^v / (1 + e^v),
//   b' = b / (1 + (1 + b) e^v),  y(x) = s log(x / odds) + 1 / (2s),
//   h(x) = [x Phi(y_2(x)) - odds_2 Phi(y_2(x) - 1/s_2)] / (1 + x)   (one step).
// Both directions of the privacy curve are g at the b of docs/proofs/few_steps.md#directions.
//
// Proof: docs/proofs/few_steps.md#two-steps. Cost: some hundred values of h.
#pragma once

#include <optional>

#include "lib/balls/ball.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/exact/rational.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

extern const ErrorTerm two_steps_quadrature;
extern const ErrorTerm two_steps_tails;

/// One step: the noise in units of the sensitivity, and the sampling probability, 0 < rate < 1.
struct SampledGaussian {
  Rational noise;
  Rational rate;

  /// Nothing for other laws.
  static std::optional<SampledGaussian> of(const PrivacyLoss& loss);
};

/// Where the sum is taken: heuristic, and any values give a valid enclosure or an infinite one.
struct TwoStepPlan {
  double half_width;  ///< of the strip, below pi / 2
  double step;
  long first;  ///< the points are step * first .. step * last
  long last;
};

class TwoStepSum {
 public:
  TwoStepSum(SampledGaussian first, SampledGaussian second);

  /// Lambda = 1 / ((1 - q_1)(1 - q_2)), exactly.
  const Rational& lift() const { return lift_; }

  /// A plan for errors of g(b) of about e^-nats, absolute, at this b > 0.
  /// @throws std::domain_error where it would take too many points.
  TwoStepPlan plan(double b, double nats) const;

  /// Encloses g(b) at the working precision; 0 for b <= 0. @param error_scale: what the ledger
  /// counts in, as delta = error_scale * g + ...
  Ball value(const Ball& b, const TwoStepPlan& plan, const Ball& error_scale, Ledger& ledger) const;

  /// In floating point, from sums of positive terms: log g(b), and the log of
  /// E((1 + u_1)(1 + u_2) / (1 + b) - 1)_+ = g(b) - 1 + lift / (1 + b).
  double estimate_log_below(double b, const TwoStepPlan& plan) const;
  double estimate_log_above(double b, const TwoStepPlan& plan) const;

 private:
  struct Constants {
    double noise;
    double odds;
    double log_odds;
    double half_rate;  ///< 1 / (2 s)
    double y(double log_x) const { return noise * (log_x - log_odds) + half_rate; }
  };
  double estimate(double b, const TwoStepPlan& plan, bool above) const;

  SampledGaussian first_;
  SampledGaussian second_;
  Rational lift_;
  Constants rough_first_;
  Constants rough_second_;
};

}  // namespace plaudit
