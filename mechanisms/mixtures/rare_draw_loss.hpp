// The two parts of the privacy loss of a Gaussian mixture pair, "remove", at an outcome Y: the
// restrictions of the measures P and Q to y <= Y, and to y > Y. They are measures of total mass
// below 1, with no mass at infinity: parts of sums over the number of rare draws
// (docs/proofs/rare_draws.md#split), not privacy losses of pairs.
#pragma once

#include "mechanisms/forwarded_loss.hpp"
#include "mechanisms/mixtures/rare_draw_integral.hpp"
#include "mechanisms/strip/integral_loss.hpp"

namespace plaudit {

/// The part y <= Y.
class FrequentDrawLoss final : public ForwardedLoss {
 public:
  /// @param whole the law of both parts.
  FrequentDrawLoss(const GaussianMixture& mixture, double start,
                   std::shared_ptr<const PrivacyLoss> whole);
  /// The Y in use: CutIntegral rounds the one that it is given.
  double cut() const { return *base_->facts().cut; }
  Ball p_above(const Ball& x) const override;
  Ball mass_at_infinity() const override { return Ball(0); }
  Ball finite_mass() const override;
};

/// The part y > Y.
class RareDrawLoss final : public IntegralLoss {
 public:
  RareDrawLoss(const GaussianMixture& mixture, double start,
               std::shared_ptr<const PrivacyLoss> whole);

  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball finite_mass() const override;
  Ball q_mass() const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override { return whole_->greatest_loss(); }
  Ball mgf_upper(const Ball& t, double nats) const override;
  std::string describe() const override;

 private:
  const StripIntegral& integral() const override { return integral_; }

  GaussianMixture mixture_;
  std::shared_ptr<const PrivacyLoss> whole_;
  RareDrawIntegral integral_;
};

}  // namespace plaudit
