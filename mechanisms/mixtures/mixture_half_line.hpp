// The integrand of int phi(y) f(y)^w dy over y <= Y or y >= Y for a Gaussian mixture pair: what
// CutIntegral (y <= Y) and RareDrawIntegral (y >= Y) share. Each of these chooses its points and
// bounds those left out. For y <= Y, Re w < 0 is served only where a component has rate 0.
// Proof: docs/proofs/cut.md#quadrature, docs/proofs/rare_draws.md#quadrature
#pragma once

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/kept_ratios.hpp"
#include "mechanisms/strip/half_line_integral.hpp"

namespace plaudit {

class MixtureHalfLine : public HalfLineIntegral {
 public:
  /// f with coefficients of at least the working precision.
  std::shared_ptr<const LikelihoodRatio> ratio() const { return ratios_.get(); }

  bool turns_steadily(double height) const override;

 protected:
  /// @param side -1: y <= Y, +1: y >= Y. @param edge Y.
  MixtureHalfLine(const ErrorTerm& quadrature, const ErrorTerm& tails, int side,
                  const GaussianMixture& mixture, double edge);

  double edge() const { return edge_; }
  Ball end() const override { return Ball(edge_); }
  Ball greatest_rate() const override { return ratio()->greatest_rate(); }
  std::function<ComplexBall(const ComplexBall&)> complex_log_f() const override;
  Ball turn(const Ball& angle, const Ball& r) const override;

 private:
  std::optional<Ball> known(const Ball& r) const override;
  std::function<Ball(const Ball&)> log_f() const override;
  Ball greatest_argument(const Ball& angle) const override;
  std::complex<double> turned_log_f(const Place& p, std::complex<double> rise) const override;
  double argument(double angle) const override;
  double log_turn(double angle, double r) const override;

  int outward_;  ///< the side
  GaussianMixture mixture_;
  double edge_;
  KeptRatios ratios_;
  std::vector<double> rates_;        ///< times the side
  std::vector<double> log_weights_;  ///< of the components of f at Y
  double mean_rate_ = 0;             ///< of the moduli, under these weights
  double mean_square_rate_ = 0;
};

}  // namespace plaudit
