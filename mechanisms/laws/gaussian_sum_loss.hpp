// Privacy loss of a Gaussian and another mechanism on the same records: the sum of a Gaussian loss
// and one of Laplace noise, or of finitely many values. Both directions alike; a density, no atoms.
// With m the mean of the Gaussian loss, so that it is N(m, 2m) under P and N(-m, 2m) under Q, all
// that is asked is a finite expression in Phi. Proof: docs/proofs/roots.md#gaussian-sum
#pragma once

#include <optional>
#include <vector>

#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// The law at the working precision of its making.
class GaussianSum {
 public:
  /// @param other of Laplace noise, or with all its atoms.
  GaussianSum(const Rational& mean, const PrivacyLoss& other);

  Ball p_above(const Ball& x) const;
  Ball q_above(const Ball& x) const;
  /// The density under Q.
  Ball q_density(const Ball& x) const { return density(x); }
  ComplexBall q_density(const ComplexBall& x) const { return density(x); }

 private:
  template <class Number>
  Number density(const Number& x) const;
  /// Phi((a - x) / mu) - Phi((-a - x) / mu), even in x. @param right whether x is beyond 0.
  template <class Number>
  Number between(const Number& x, bool right) const;

  Ball mean_;
  Ball deviation_;             ///< mu, the root of 2m
  std::optional<Ball> width_;  ///< a, of Laplace noise
  std::vector<Atom> atoms_;    ///< of the other law
};

class GaussianSumLoss final : public PrivacyLoss {
 public:
  /// Whether such a sum has a form here: the other law is bounded, P and Q absolutely continuous
  /// with respect to each other. @param other alike in both directions, which is not checked here.
  static bool takes(const PrivacyLoss& other);
  /// @param mean m > 0.
  GaussianSumLoss(Rational mean, std::shared_ptr<const PrivacyLoss> other);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override { return GaussianSum(mean_, *other_).p_above(x); }
  Ball q_above(const Ball& x) const override { return GaussianSum(mean_, *other_).q_above(x); }
  Ball p_atom(const Ball&) const override { return Ball(0); }
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override { return -positive_infinity(); }
  Ball greatest_loss() const override { return positive_infinity(); }
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override;
  std::shared_ptr<const PrivacyLoss> sampled(const Rational& rate,
                                             Direction direction) const override;
  double estimate_log_decay(double t, double s) const override;
  CumulantEstimate estimate_cumulant(double t) const override;

 private:
  Rational mean_;
  std::shared_ptr<const PrivacyLoss> other_;
};

}  // namespace plaudit
