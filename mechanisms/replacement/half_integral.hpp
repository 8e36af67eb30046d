// G(w) = int_{a/2}^inf phi(y) f(y)^w dy for f(y) = 1 - q + q e^{a y - a^2 / 2}: the half of a
// sampled Gaussian pair on which the privacy loss log f is positive (a = distance of the centres /
// sigma, q the probability that the differing records are in the batch). Any real or complex power
// w. Proof: docs/proofs/sampling.md#half-quadrature, docs/proofs/sampling.md#half-truncation
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "mechanisms/strip/half_line_integral.hpp"

namespace plaudit {

class HalfIntegral final : public HalfLineIntegral {
 public:
  /// @param distance a > 0. @param rate q, 0 < q < 1.
  HalfIntegral(Rational distance, Rational rate);
  /// @param rate q at the working precision.
  HalfIntegral(Rational distance, std::function<Ball()> rate);

  CumulantEstimate estimate(double r) const override;
  /// In floating point: int phi (f^{1+t} + f^{-t} - f - 1), which keeps its digits near t = 0, -1.
  double estimate_excess(double t) const;

  Ball outside(const Ball& r, const Strip& strip) const override;

 private:
  Ball end() const override { return Ball(Rational(distance_ / 2)); }
  Ball greatest_rate() const override { return Ball(distance_); }
  std::function<Ball(const Ball&)> log_f() const override;
  std::function<ComplexBall(const ComplexBall&)> complex_log_f() const override;
  Ball turn(const Ball& angle, const Ball& r) const override;

  std::vector<Place> places(double r) const override;
  std::complex<double> turned_log_f(const Place& p, std::complex<double> rise) const override;
  double log_norm(double e, double r, double s_max) const override;
  Window window(double r, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double r, double s) const override;
  void add_places(std::vector<Place>& result, double low, double high) const;
  double log_ratio(double x) const;

  Rational distance_;
  std::function<Ball()> rate_;
  double a_;
  double q_;
  struct Table {
    std::once_flag made;
    std::vector<Place> places;
  };
  std::shared_ptr<Table> table_ = std::make_shared<Table>();  ///< around a/2; the same for all r
};

}  // namespace plaudit
