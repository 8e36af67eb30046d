// The privacy loss of the pair that dominates every mechanism of bounded range epsilon: one whose
// loss, for any two neighbouring data sets, lies in some interval of length epsilon.
//
// L has the density e^{l/2} / (4 sinh(epsilon/2)) on [-epsilon, epsilon], the same in both
// directions, and the curve (e^{epsilon/2} - e^{eps/2})^2 / (e^epsilon - 1) there: the upper
// envelope of the curves of all such mechanisms. Proof: docs/proofs/selection.md#bounded-range
#pragma once

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class RangeLoss final : public PrivacyLoss {
 public:
  /// @param epsilon > 0.
  explicit RangeLoss(Rational epsilon);

  /// The epsilon: half the width of the support.
  const Rational& epsilon() const { return epsilon_; }

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball&) const override { return Ball(0); }
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override { return -Ball(epsilon_); }
  Ball greatest_loss() const override { return Ball(epsilon_); }
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override;

 private:
  Ball mgf(const Ball& t) const;

  Rational epsilon_;
  double estimate_;
};

}  // namespace plaudit
