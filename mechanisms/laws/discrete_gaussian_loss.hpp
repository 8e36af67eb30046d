// Privacy loss of discrete Gaussian noise shifted by an integer D, on the lattice with mesh D / v.
//
// Under P the noise k is centred at 0 and L = D^2 / (2v) + k D / v; under Q L = -D^2 / (2v) + k D /
// v. The same in both directions. Proof: docs/proofs/discrete.md#discrete-gaussian
#pragma once

#include "mechanisms/laws/discrete_gaussian_tails.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class DiscreteGaussianLoss final : public PrivacyLoss {
 public:
  DiscreteGaussianLoss(const Rational& variance, long sensitivity);

  const Rational& variance() const { return noise_->variance(); }
  long sensitivity() const { return sensitivity_; }

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  PointMasses masses_at(const Rational& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::optional<Ball> density(const Ball&) const override { return std::nullopt; }
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  Ball delta(const Ball& epsilon) const override;
  std::shared_ptr<const LatticeLaw> lattice() const override;
  std::shared_ptr<const AtomicLaw> atoms(double tilt, double nats) const override;
  std::shared_ptr<const PrivacyLoss> sampled(const Rational& rate,
                                             Direction direction) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double, double) const override { return 0; }
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override;

 private:
  /// x v / D: L > x is k > place(x) - D/2 under P and k > place(x) + D/2 under Q.
  Ball place(const Ball& x) const;

  std::shared_ptr<const DiscreteGaussianTails> noise_;
  long sensitivity_;
  Rational outcomes_;  ///< per unit of loss: v / D
  double variance_estimate_;
};

}  // namespace plaudit
