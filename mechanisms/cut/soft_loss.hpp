// The two parts of the privacy loss of a Gaussian mixture pair, "remove", with a soft edge between
// them: the measures chi P, chi Q of rare draws, and (1 - chi) P, (1 - chi) Q of the others. They
// are parts of sums over the number of rare draws (docs/proofs/rare_draws.md#soft), not privacy
// losses of pairs.
#pragma once

#include "mechanisms/cut/soft_integral.hpp"
#include "mechanisms/strip/integral_loss.hpp"

namespace plaudit {

class SoftLoss final : public IntegralLoss {
 public:
  /// @param whole the law of both parts.
  SoftLoss(const GaussianMixture& mixture, const RareEdge& edge, SoftIntegral::Side side,
           std::shared_ptr<const PrivacyLoss> whole);

  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  std::optional<Ball> density(const Ball&) const override { return std::nullopt; }
  Ball finite_mass() const override { return p_mass_; }
  Ball q_mass() const override { return q_mass_; }
  Ball least_loss() const override { return whole_->least_loss(); }
  Ball greatest_loss() const override { return whole_->greatest_loss(); }
  Ball mgf_upper(const Ball& t, double nats) const override;
  std::string describe() const override;

 private:
  const StripIntegral& integral() const override { return integral_; }

  std::shared_ptr<const PrivacyLoss> whole_;
  SoftIntegral integral_;
  std::string words_;
  Ball p_mass_, q_mass_;
};

}  // namespace plaudit
