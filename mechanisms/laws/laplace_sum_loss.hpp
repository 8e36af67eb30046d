// Privacy loss of two Laplace mechanisms on the same records, a >= b their sensitivity / scale,
// s = a + b: under P atoms 1/4 at s, e^-b / 4 at a - b, e^-a / 4 at b - a and e^-s / 4 at -s, and
// between -s and s the density e^((l-s)/2) (1/4 + min(2b, s - |l|) / 16); the same in both
// directions. Proof: docs/proofs/roots.md#laplace-sum
#pragma once

#include <vector>

#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

class LaplaceSumLoss final : public PrivacyLoss {
 public:
  /// @param a, b > 0, in any order.
  LaplaceSumLoss(const Rational& a, const Rational& b);

  std::string describe() const override;
  Ball p_atom(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_above(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override;
  PointMasses masses_at(const Rational& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  Ball greatest_loss() const override { return Ball(end()); }
  Ball least_loss() const override { return -greatest_loss(); }
  Ball log_mgf(const Ball& t) const override { return wide_.log_mgf(t) + narrow_.log_mgf(t); }
  ComplexBall log_mgf(const ComplexBall& z) const override {
    return wide_.log_mgf(z) + narrow_.log_mgf(z);
  }
  double estimate_line_points(double, double, double) const override { return 1; }
  double estimate_log_decay(double t, double s) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  std::shared_ptr<const PrivacyLoss> sampled(const Rational& rate,
                                             Direction direction) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;

  /// The density is e^((l-s)/2) (constant + slope l) between two losses.
  struct Piece {
    Rational from;
    Rational to;
    Rational constant;
    Rational slope;
  };
  std::vector<Piece> pieces() const;

 private:
  Rational end() const { return wide_.ratio() + narrow_.ratio(); }
  std::vector<LossAtom> four_atoms() const;
  /// Under P, of the density alone, above x.
  Ball curve_above(const Rational& x) const;

  LaplaceLoss wide_;
  LaplaceLoss narrow_;
};

}  // namespace plaudit
