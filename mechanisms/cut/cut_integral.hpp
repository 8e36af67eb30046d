// A_Y(w) = int_{-inf}^Y phi(y) f(y)^w dy: the moment generating function of a Gaussian mixture pair
// whose draws beyond y = Y are set aside.
//
// For small deltas the orders t that matter for the bulk of the privacy loss lie beyond those where
// M(t) is ruled by one absurdly large draw; without these draws M is tame again, and their mass is
// accounted for as mass at infinity (docs/proofs/cut.md#cut). Only Re w = r >= 0.
// Proof: docs/proofs/cut.md#quadrature, docs/proofs/cut.md#truncation
#pragma once

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/kept_ratios.hpp"
#include "mechanisms/strip/half_line_integral.hpp"

namespace plaudit {

class CutIntegral final : public HalfLineIntegral {
 public:
  /// @param cut Y > 0.
  CutIntegral(const GaussianMixture& mixture, double cut);

  double cut() const { return cut_; }
  /// f with coefficients of at least the working precision.
  std::shared_ptr<const LikelihoodRatio> ratio() const { return ratios_.get(); }

  CumulantEstimate estimate(double r) const override;
  /// Integration points of a line at any order: what the costs of contours were fitted to.
  double rough_points(double nats) const;
  Ball outside(const Ball& r, const Strip& strip) const override;

 private:
  std::optional<Ball> known(const Ball& r) const override;
  Ball end() const override { return Ball(cut_); }
  Ball greatest_rate() const override;
  std::function<Ball(const Ball&)> log_f() const override;
  std::function<ComplexBall(const ComplexBall&)> complex_log_f() const override;
  Ball turn(const Ball& angle, const Ball& r) const override;

  std::vector<Place> places(double) const override { return places_; }
  std::complex<double> turned_log_f(const Place& p, std::complex<double> rise) const override;
  Window window(double r, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double r, double s) const override;

  GaussianMixture mixture_;
  double cut_;
  KeptRatios ratios_;
  std::vector<Place> places_;
  std::vector<double> rates_;
  std::vector<double> log_weights_;  ///< of the components of f at Y
};

}  // namespace plaudit
