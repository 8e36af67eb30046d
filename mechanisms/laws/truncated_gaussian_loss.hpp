// Privacy loss of Gaussian noise of variance v of which nothing beyond +-A is drawn, moved by D
// against itself, 0 < D <= A; the same in both directions.
//
// At the output y, D - A <= y <= A, L = D (y - D/2) / v; above A, where Q has no output, L = inf.
// With Z = P(|N| <= A) of noise N without bound, all that is asked is a finite expression in Phi.
// Proof: docs/proofs/truncated.md#gaussian
#pragma once

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class TruncatedGaussianLoss final : public PrivacyLoss {
 public:
  /// @param variance v > 0. @param bound A. @param shift D.
  TruncatedGaussianLoss(Rational variance, Rational bound, Rational shift);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball&) const override { return Ball(0); }
  std::optional<Ball> density(const Ball& x) const override;
  Ball mass_at_infinity() const override;
  Ball q_mass() const override { return finite_mass(); }
  Ball least_loss() const override { return -greatest_loss(); }
  Ball greatest_loss() const override { return Ball(*facts_.greatest_loss); }
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override;

 private:
  template <class Number>
  Number mgf(const Number& z) const;
  Ball deviation() const { return sqrt(Ball(variance_)); }
  Ball whole() const;
  /// The output y with L = x, within the outputs of finite losses.
  Ball output(const Ball& x) const;
  /// Upper bound of the density of L times e^(tl).
  Ball greatest_tilted_density(const Ball& t) const;

  Rational variance_;
  Rational bound_;
  Rational shift_;
};

}  // namespace plaudit
