// The moments of a Poisson sample of a Gaussian beside bounded losses,
//   I(w) = int q(x) f(x)^w dx,   f(x) = 1 - rate + rate e^x,
// q the density of the loss without the sample under Q (mechanisms/laws/gaussian_sum_loss.hpp). The
// sum over equidistant x and its two errors, gaussian_sum.quadrature and gaussian_sum.tails, are
// those of mechanisms/strip/strip_integral.hpp. Proof: docs/proofs/roots.md#gaussian-sum-integral
#pragma once

#include "mechanisms/laws/gaussian_sum_loss.hpp"
#include "mechanisms/strip/strip_estimate.hpp"
#include "mechanisms/strip/strip_integral.hpp"

namespace plaudit {

class GaussianSumIntegral final : public StripIntegral {
 public:
  /// @param mean of the Gaussian loss. @param other as GaussianSumLoss takes it. @param rate < 1.
  GaussianSumIntegral(Rational mean, std::shared_ptr<const PrivacyLoss> other, Rational rate);

  CumulantEstimate estimate(double r) const override;
  double estimate_log_decay(double r, double s, double* best_eta = nullptr) const override;
  std::vector<Norm> norms(double e, const Ball& r, const Ball& s_max, double d) const override;
  Ball outside(const Ball& r, const Strip& strip) const override;
  /// Points x with log f(x) and log(q(x) dx), where the integrand at r matters, in floating point.
  std::vector<Place> places(double r) const;

 private:
  void axis_points(const Strip& strip, const Sink<Ball>& sink) const override;
  void line_points(const Strip& strip, const Sink<ComplexBall>& sink) const override;
  std::optional<Ball> known(const Ball& r) const override;
  double greatest_height() const override;
  double log_norm(double e, double r, double s_max) const override;
  Window window(double r, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double r, double s) const override;
  double log_density(double x) const;

  Rational mean_;
  std::shared_ptr<const PrivacyLoss> other_;
  Rational rate_;
  // in floating point: m, mu, the rate, and the greatest loss of the other law
  double m_;
  double mu_;
  double q_;
  double a_;
  std::vector<std::pair<double, double>> pieces_;  ///< of the other law: loss, log of Q-mass
};

}  // namespace plaudit
