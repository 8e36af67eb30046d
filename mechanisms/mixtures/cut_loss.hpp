// The privacy loss of a Gaussian mixture pair, "remove", after the draws y > Y were moved to
// L = inf: the restriction of (P, Q) to y <= Y, with mass at infinity P(y > Y).
// Its curve is an upper bound of the pair's; without the mass at infinity, a lower one
// (docs/proofs/cut.md#cut).
#pragma once

#include "mechanisms/mixtures/cut_integral.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "mechanisms/strip/integral_loss.hpp"

namespace plaudit {

class CutLoss final : public IntegralLoss {
 public:
  /// @param whole the law before the cut, of the same mixture in the direction "remove".
  CutLoss(const GaussianMixture& mixture, double cut, std::shared_ptr<const PrivacyLoss> whole);

  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball mass_at_infinity() const override;
  Ball q_mass() const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  Ball mgf_upper(const Ball& t, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_line_points(double t, double s, double nats) const override;
  std::string describe() const override;

 private:
  const StripIntegral& integral() const override { return integral_; }

  GaussianMixture mixture_;
  std::shared_ptr<const PrivacyLoss> whole_;
  CutIntegral integral_;
};

}  // namespace plaudit
