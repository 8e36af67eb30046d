// The two parts of the privacy loss of a Gaussian mixture pair, "remove", with a soft edge between
// them: the measures chi P, chi Q of rare draws, and (1 - chi) P, (1 - chi) Q of the others. They
// are parts of sums over the number of rare draws (docs/proofs/rare_draws.md#soft), not privacy
// losses of pairs.
#pragma once

#include "mechanisms/cut/soft_integral.hpp"

namespace plaudit {

class SoftLoss final : public PrivacyLoss {
 public:
  /// @param whole the law of both parts.
  SoftLoss(const GaussianMixture& mixture, const RareEdge& edge, SoftIntegral::Side side,
           std::shared_ptr<const PrivacyLoss> whole);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball&) const override { return Ball(0); }
  std::optional<Ball> density(const Ball& x) const override;
  Ball finite_mass() const override { return p_mass_; }
  Ball q_mass() const override { return q_mass_; }
  Ball least_loss() const override { return whole_->least_loss(); }
  Ball greatest_loss() const override { return whole_->greatest_loss(); }
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  Ball mgf_upper(const Ball& t, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double t, double s, double nats) const override;
  std::string describe() const override;

 private:
  std::shared_ptr<const PrivacyLoss> whole_;
  SoftIntegral integral_;
  std::string words_;
  Ball p_mass_, q_mass_;
};

}  // namespace plaudit
