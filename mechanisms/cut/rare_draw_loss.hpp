// The two parts of the privacy loss of a Gaussian mixture pair, "remove", at an outcome Y: the
// restrictions of the measures P and Q to y <= Y, and to y > Y. They are measures of total mass
// below 1, with no mass at infinity: parts of sums over the number of rare draws
// (docs/proofs/rare_draws.md#split), not privacy losses of pairs.
#pragma once

#include "mechanisms/cut/rare_draw_integral.hpp"
#include "mechanisms/forwarded_loss.hpp"

namespace plaudit {

/// y <= Y.
class FrequentDrawLoss final : public ForwardedLoss {
 public:
  /// @param whole the law of both parts.
  FrequentDrawLoss(const GaussianMixture& mixture, double start,
                   std::shared_ptr<const PrivacyLoss> whole);
  Ball p_above(const Ball& x) const override;
  Ball mass_at_infinity() const override { return Ball(0); }
  Ball finite_mass() const override;
};

/// y > Y.
class RareDrawLoss final : public PrivacyLoss {
 public:
  RareDrawLoss(const GaussianMixture& mixture, double start,
               std::shared_ptr<const PrivacyLoss> whole);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball&) const override { return Ball(0); }
  std::optional<Ball> density(const Ball& x) const override;
  Ball finite_mass() const override;
  Ball q_mass() const override;
  Ball least_loss() const override;
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
  GaussianMixture mixture_;
  std::shared_ptr<const PrivacyLoss> whole_;
  RareDrawIntegral integral_;
};

}  // namespace plaudit
