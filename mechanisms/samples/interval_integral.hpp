// The part of a Poisson sample of Laplace noise between its two atoms,
//   I(w) = (1/4) int_(-a)^a e^{-(l+a)/2} f(l)^w dl,   f(l) = 1 - rate + rate e^l,
// by l = a tanh zeta, which maps the real line on the interval: arg f >= 0 above the axis. The sum
// over equidistant zeta and its two errors, interval.quadrature and interval.tails, are those of
// mechanisms/strip/strip_integral.hpp. For n nats it takes about n^2 points, so
// a single value is cheaper by adaptive integration. Proof: docs/certificates/lines.md#interval
#pragma once

#include "mechanisms/strip/strip_estimate.hpp"
#include "mechanisms/strip/strip_integral.hpp"

namespace plaudit {

class IntervalIntegral final : public StripIntegral {
 public:
  /// @param ratio a > 0. @param rate in (0, 1).
  IntervalIntegral(Rational ratio, Rational rate);

  CumulantEstimate estimate(double r) const override { return tabulated_cumulant(places_, r); }
  double estimate_log_decay(double r, double s, double* best_eta = nullptr) const override;
  std::vector<Norm> norms(double e, const Ball& r, const Ball& s_max, double d) const override;
  Ball outside(const Ball& r, const Strip& strip) const override;

 private:
  void axis_points(const Strip& strip, const Sink<Ball>& sink) const override;
  void line_points(const Strip& strip, const Sink<ComplexBall>& sink) const override;
  double greatest_height() const override;
  double log_norm(double e, double r, double s_max) const override;
  Window window(double r, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double r, double s) const override;
  /// Bounds |f(l)|^r / f(Re l)^r where |Im l| is at most omega, below pi.
  Ball turned(const Ball& omega, const Ball& r) const;
  /// The greatest imaginary part of l at the height e > 0 of zeta; infinite where f may vanish.
  Ball greatest_turn(const Ball& e) const;

  Rational ratio_;
  Rational rate_;
  double a_;
  double q_;
  std::vector<Place> places_;
};

}  // namespace plaudit
