// The privacy loss of the pair that dominates every (epsilon, delta)-private mechanism.
//
// P: L = eps with probability (1-delta) e^eps / (1+e^eps), L = -eps with (1-delta) / (1+e^eps),
// L = +inf with delta; the same in both directions. delta = 0 is randomized response.
// Proof: docs/proofs/reference_methods.md#two-points
#pragma once

#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class TwoPointLoss final : public PrivacyLoss {
 public:
  /// @param epsilon >= 0. @param delta in [0, 1).
  static std::shared_ptr<const TwoPointLoss> of_epsilon(const Rational& epsilon,
                                                        const Rational& delta);
  /// delta = 0 and eps = log(p / (1-p)), 1/2 < p < 1.
  static std::shared_ptr<const TwoPointLoss> of_probability(const Rational& p);

  /// Encloses eps >= 0.
  Ball epsilon() const;
  const Rational& mass() const { return delta_; }
  /// eps where it is a rational; nothing where it is the logarithm of one.
  std::optional<Rational> rational_epsilon() const;
  /// The same eps (delta may differ). Logarithms of rationals other than 1 are irrational.
  bool same_epsilon(const TwoPointLoss& other) const {
    return is_odds_ == other.is_odds_ && value_ == other.value_;
  }
  double epsilon_estimate() const { return estimate_; }
  /// eps = 0: one finite point.
  bool is_trivial() const { return value_ == (is_odds_ ? 1 : 0); }

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  PointMasses masses_at(const Rational& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::optional<Ball> density(const Ball&) const override { return std::nullopt; }
  Ball mass_at_infinity() const override { return Ball(delta_); }
  Ball q_mass() const override { return Ball(Rational(1 - delta_)); }
  std::shared_ptr<const ExactLaw> exact_law() const override;
  Ball least_loss() const override { return -epsilon(); }
  Ball greatest_loss() const override { return epsilon(); }
  Ball delta(const Ball& epsilon) const override;
  std::shared_ptr<const LatticeLaw> lattice() const override;
  std::shared_ptr<const AtomicLaw> atoms(double tilt, double nats) const override;
  std::shared_ptr<const PrivacyLoss> sampled(const Rational& rate,
                                             Direction direction) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  /// |M(t + is)| is periodic in s: it does not decay.
  double estimate_log_decay(double, double) const override { return 0; }
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override;

 private:
  TwoPointLoss(Rational value, bool is_odds, Rational delta);

  /// The sign of x - eps, nothing where no moderate precision shows it.
  std::optional<int> compare(const Rational& x) const;
  /// P(L = eps) and P(L = -eps), which are also Q(L = -eps) and Q(L = eps).
  Ball high() const;
  Ball low() const;
  FiniteLaw law() const;

  Rational value_;  ///< eps, or e^eps where is_odds_
  bool is_odds_;
  Rational delta_;
  double estimate_;  ///< of eps
};

}  // namespace plaudit
