// Privacy loss of the Laplace pair with a = sensitivity / scale: two atoms and a curve.
//
// P: L = a with probability 1/2, L = -a with probability e^{-a} / 2, density e^{(l-a)/2} / 4
// between; the same in both directions (docs/proofs/hockey_stick.md#laplace).
#pragma once

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class LaplaceLoss final : public PrivacyLoss {
 public:
  /// @param ratio a > 0.
  explicit LaplaceLoss(Rational ratio);

  const Rational& ratio() const { return ratio_; }

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  /// Without the masses of atoms that may be at epsilon or not: the curve is continuous.
  Ball delta(const Ball& epsilon) const override;
  PointMasses masses_at(const Rational& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override { return -Ball(ratio_); }
  Ball greatest_loss() const override { return Ball(ratio_); }
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  std::shared_ptr<const PrivacyLoss> sampled(const Rational& rate,
                                             Direction direction) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override;

 private:
  Ball mgf(const Ball& t) const;

  Rational ratio_;
  double estimate_;
};

}  // namespace plaudit
