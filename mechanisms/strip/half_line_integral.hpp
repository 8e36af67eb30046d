// Integrals over a half line, int phi(y) f(y)^w dy for y > Y (side +1) or y < Y (side -1).
//
// y = Y + side log(1 + e^zeta) maps the real line on it, and zeta = x + i side eta the line above
// the axis on points where arg f >= 0. f is a sum of exponentials with rates from 0 (or more) up to
// greatest_rate().
#pragma once

#include "mechanisms/strip/strip_estimate.hpp"
#include "mechanisms/strip/strip_integral.hpp"

namespace plaudit {

class HalfLineIntegral : public StripIntegral {
 public:
  CumulantEstimate estimate(double r) const override;
  double estimate_log_decay(double r, double s, double* best_eta = nullptr) const override;
  std::vector<Norm> norms(double e, const Ball& r, const Ball& s_max, double d) const override;

 protected:
  static constexpr double table_step = 0.25;

  HalfLineIntegral(const ErrorTerm& quadrature, const ErrorTerm& tails, int side, double end,
                   double greatest_rate);

  // At the working precision: Y, the greatest rate, log f as a function of log(1 + e^zeta), and an
  // upper bound of (|f(y')| / f(y))^r for y' of angle up to `angle` against the real y.
  virtual Ball end() const = 0;
  virtual Ball greatest_rate() const = 0;
  virtual std::function<Ball(const Ball&)> log_f() const = 0;
  virtual std::function<ComplexBall(const ComplexBall&)> complex_log_f() const = 0;
  virtual Ball turn(const Ball& angle, const Ball& r) const = 0;
  /// Upper bound of |arg f| where |Im y| is at most the angle.
  virtual Ball greatest_argument(const Ball& angle) const { return greatest_rate() * angle; }

  // In floating point: where phi f^r has its mass, and log f where it is p.l on the real line.
  virtual std::vector<Place> places(double r) const = 0;
  virtual std::complex<double> turned_log_f(const Place& p, std::complex<double> rise) const = 0;
  virtual double argument(double angle) const { return rate_ * angle; }
  virtual double log_turn(double angle, double r) const;

  /// The place at x, from log f as a function of log(1 + e^x).
  Place place(double x, const std::function<double(double)>& log_f_of) const;

  double greatest_height() const override;
  double log_norm(double e, double r, double s_max) const override;

 private:
  void axis_points(const Strip& strip, const Sink<Ball>& sink) const override;
  void line_points(const Strip& strip, const Sink<ComplexBall>& sink) const override;

  int side_;
  double end_;
  double rate_;
};

}  // namespace plaudit
