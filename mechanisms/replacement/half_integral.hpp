// G(w) = int_{a/2}^inf phi(y) f(y)^w dy for f(y) = 1 - q + q e^{a y - a^2 / 2}: the half of a
// sampled Gaussian pair on which the privacy loss log f is positive (a = distance of the centres /
// sigma, q the probability that the differing records are in the batch). Any real or complex power
// w.
//
// Method: y = a/2 + log(1 + e^zeta) maps the real line on (a/2, inf); trapezoid in zeta with the
// strip theorem (docs/proofs/sampling.md#half-quadrature).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class HalfIntegral {
 public:
  /// @param distance a > 0. @param rate q, 0 < q < 1.
  HalfIntegral(Rational distance, Rational rate);

  /// G(r), good to about e^{-nats} relative to itself.
  Ball on_axis(const Ball& r, double nats) const;
  /// G(r + i k step) for k < count, step > 0, each good to about e^{-nats} G(r).
  LineValues on_line(const Ball& r, const Ball& step, std::size_t count, double nats) const;
  /// Upper bound of |G(r + i s')| over all |s'| >= s >= 0.
  Ball bound_beyond(const Ball& r, const Ball& s, double nats) const;

  /// In floating point: log G(r), mean and variance of log f under phi f^r / G(r).
  CumulantEstimate estimate(double r) const;
  double estimate_log_decay(double r, double s, double* best_eta = nullptr) const;
  double estimate_points(double r, double nats) const;
  /// In floating point: int phi (f^{1+t} + f^{-t} - f - 1), which keeps its digits near t = 0, -1.
  double estimate_excess(double t) const;

  /// The path zeta = j d + i eta, first <= j <= last, and the half-width v of the strip around it.
  struct Strip {
    double eta, v, d;
    long first, last;
    std::size_t size() const { return static_cast<std::size_t>(last - first + 1); }
  };
  /// Parameters at the working precision.
  struct Constants {
    Ball a, half, q;
  };
  Constants constants() const;
  /// Upper bound of d sum |F| over the points outside (first, last), F the integrand in zeta.
  Ball outside(const Constants& c, const Ball& r, const Strip& strip) const;
  /// Upper bound of int |F| on Im zeta = tau for powers r + i s, 0 <= s <= s_max, from one of G(r).
  Ball norm(const Constants& c, double tau, const Ball& r, const Ball& s_max,
            const Ball& axis) const;
  /// G(r) by the points of the strip (eta = 0) at the working precision; nothing where the bound
  /// of its error is not below G(r) itself.
  std::optional<Ball> by_points(const Ball& r, const Strip& strip) const;
  /// Upper bound of int |F| on the line of the strip (eta >= 0) for the power r + i s, s >= 0, by
  /// the points of the strip at the working precision, from one of G(r).
  Ball shifted(const Ball& r, const Ball& s, const Strip& strip, const Ball& axis) const;

 private:
  struct Point {
    ComplexBall log_f;
    ComplexBall log_weight;  ///< log of phi(y) dy/dzeta sqrt(2 pi)
  };
  struct Place {
    double u, y, log_f, log_weight;
  };
  /// Where phi f^r has its mass, for the sums in floating point.
  std::vector<Place> places(double r) const;
  void add_places(std::vector<Place>& result, double low, double high) const;
  double greatest_angle() const;
  double log_norm(double tau, double r) const;
  Strip choose(double r, double nats, bool on_axis) const;
  void choose_range(Strip& strip, double r, double nats) const;
  /// @throws std::domain_error
  static void check_affordable(const Strip& strip);
  double log_ratio(double x) const;
  std::vector<Point> points(const Strip& strip) const;
  Ball turn(const Constants& c, const Ball& angle, const Ball& r) const;
  double largest_exponent(const Strip& strip, double r, double s) const;

  Rational distance_;
  Rational rate_;
  double a_;
  double q_;
  struct Table {
    std::once_flag made;
    std::vector<Place> places;
  };
  std::shared_ptr<Table> table_ = std::make_shared<Table>();  ///< around a/2; the same for all r
};

}  // namespace plaudit
