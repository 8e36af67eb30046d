// A_Y(w) = int_{-inf}^Y phi(y) f(y)^w dy: the moment generating function of a Gaussian mixture pair
// whose draws beyond y = Y are set aside.
//
// For small deltas the orders t that matter for the bulk of the privacy loss lie beyond those where
// M(t) is ruled by one absurdly large draw; without these draws M is tame again, and their mass is
// accounted for as mass at infinity (docs/proofs/cut.md#cut).
// Method: y = Y - log(1 + e^zeta) maps the real line on (-inf, Y); trapezoid in zeta, strip
// theorem. Only Re w = r >= 0.
#pragma once

#include <vector>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"

namespace plaudit {

class CutIntegral {
 public:
  /// @param cut Y > 0.
  CutIntegral(const GaussianMixture& mixture, double cut);

  double cut() const { return cut_; }
  /// A_Y(r), A_Y(r + i k step) and the bound of |A_Y(r + i s')|, s' >= s, as in MixtureIntegral.
  Ball on_axis(const Ball& r, double nats) const;
  LineValues on_line(const Ball& r, const Ball& step, std::size_t count, double nats) const;
  Ball bound_beyond(const Ball& r, const Ball& s, double nats) const;

  /// log A_Y(r) and the mean and variance of log f under phi f^r / A_Y(r) on (-inf, Y).
  CumulantEstimate estimate(double r) const;
  double estimate_log_decay(double r, double s, double* best_eta = nullptr) const;
  double estimate_points(double nats) const;

  /// The path zeta = j d - i eta, first <= j <= last, and the half-width v of the strip around it.
  struct Strip {
    double eta, v, d;
    long first, last;
    std::size_t size() const { return static_cast<std::size_t>(last - first + 1); }
  };
  /// Upper bound of d sum |F| over the points outside (first, last), F the integrand in zeta.
  Ball outside(const LikelihoodRatio& f, const Ball& r, const Strip& strip) const;
  /// Upper bound of int |F| on Im zeta = -tau for powers r + i s, 0 <= s <= s_max, from one of
  /// A_Y(r).
  Ball norm(const LikelihoodRatio& f, double tau, const Ball& s_max, const Ball& axis) const;
  /// Upper bound of int |F| on the line of the strip (eta >= 0) for the power r + i s, s >= 0, by
  /// the points of the strip at the working precision, from one of A_Y(r).
  Ball shifted(const Ball& r, const Ball& s, const Strip& strip, const Ball& axis) const;

 private:
  /// A point of the path at zeta = j d - i eta: log f(y) and log |dy| / d zeta phi(y).
  struct Point {
    ComplexBall log_f;
    ComplexBall log_weight;
  };

  double greatest_angle() const;
  Strip choose(double r, double nats, bool on_axis) const;
  void choose_range(Strip& strip, double r, double nats) const;
  std::vector<Point> points(const Strip& strip) const;

  GaussianMixture mixture_;
  double cut_;
  double greatest_rate_;
  // floating point: a path of points u_j = j table_step
  std::vector<double> y_;
  std::vector<double> log_f_;
  std::vector<double> log_weight_;
};

}  // namespace plaudit
