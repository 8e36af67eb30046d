// Privacy loss of the plain Gaussian pair N(sensitivity, sigma^2), N(0, sigma^2): itself Gaussian,
// L ~ N(mu, 2 mu) with mu = sensitivity^2 / (2 sigma^2), the same in both directions. All closed
// forms (docs/proofs/hockey_stick.md#gaussian).
#pragma once

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class GaussianLoss final : public PrivacyLoss {
 public:
  /// @param mixture a mixture with a single component.
  explicit GaussianLoss(GaussianMixture mixture);
  /// @param mean mu > 0, where sensitivity / sigma need not be rational.
  explicit GaussianLoss(Rational mean);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  TailMasses tails_above(const std::vector<Ball>& points) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  std::shared_ptr<const PrivacyLoss> sampled(const Rational& rate,
                                             Direction direction) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  std::optional<CumulantEstimates> estimate_cumulants(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double t, double s, double nats) const override;
  std::string describe() const override;

 private:
  GaussianMixture mixture_;
  Rational mean_;
  double mean_estimate_;
};

}  // namespace plaudit
