// Privacy loss of a Gaussian mixture against its mirror image: P = sum_i p_i N(c_i, sigma^2),
// Q = sum_i p_i N(-c_i, sigma^2), c_i >= 0. In units of the noise L = log a(y) - log a(-y), with
// the increasing a(y) = sum_i p_i e^{a_i y - a_i^2 / 2}; the same law in both directions. M(z) =
// int phi a(y)^{1+z} a(-y)^{-z} dy. Proof: docs/proofs/mirrored.md#law
#pragma once

#include "mechanisms/replacement/mirrored_integral.hpp"

namespace plaudit {

class MirroredLoss final : public PrivacyLoss {
 public:
  /// @param mixture at least two components, normalised, the least sensitivity 0.
  explicit MirroredLoss(GaussianMixture mixture);

  const GaussianMixture& mixture() const { return mixture_; }
  /// Encloses y with L(y) = x; nothing when undecided.
  std::optional<Ball> place(const Ball& x) const;

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  Ball mgf_upper(const Ball& t, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double t, double s, double nats) const override;
  std::string describe() const override;

 private:
  /// sum_i p_i Phi(sign * a_i - y): the mass of (y, inf) under P (sign 1) or Q (sign -1).
  Ball mass_above(const Ball& y, int sign) const;

  GaussianMixture mixture_;
  MirroredIntegral integral_;
};

}  // namespace plaudit
