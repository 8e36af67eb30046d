// Privacy loss of a Gaussian mixture against its mirror image: P = sum_i p_i N(c_i, sigma^2),
// Q = sum_i p_i N(-c_i, sigma^2), c_i >= 0. In units of the noise L = log a(y) - log a(-y), with
// the increasing a(y) = sum_i p_i e^{a_i y - a_i^2 / 2}; the same law in both directions. M(z) =
// int phi a(y)^{1+z} a(-y)^{-z} dy. Proof: docs/proofs/mirrored.md#law
#pragma once

#include "mechanisms/replacement/mirrored_integral.hpp"
#include "mechanisms/strip/integral_loss.hpp"

namespace plaudit {

class MirroredLoss final : public IntegralLoss {
 public:
  /// @param mixture at least two components, normalised, the least sensitivity 0.
  explicit MirroredLoss(GaussianMixture mixture);

  const GaussianMixture& mixture() const { return mixture_; }
  /// Encloses y with L(y) = x; nothing when undecided.
  std::optional<Ball> place(const Ball& x) const;

  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override { return -positive_infinity(); }
  Ball greatest_loss() const override { return positive_infinity(); }
  std::string describe() const override;

 private:
  const StripIntegral& integral() const override { return integral_; }

  GaussianMixture mixture_;
  MirroredIntegral integral_;
};

}  // namespace plaudit
