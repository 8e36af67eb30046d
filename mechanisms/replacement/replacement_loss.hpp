// The privacy loss of a Gaussian on a random batch when records are replaced by others.
//
// A public label k >= 1 (how many differing records a batch that has any of them has) is drawn with
// probability w_k; given k, L is log f_k on {y > a_k/2} under the mixture, -log f_k on {y > a_k/2}
// under N(0,1), and 0 with the rest of the mass, where f_k(y) = 1 - q + q e^{a_k y - a_k^2 / 2},
// a_k = k sensitivity / sigma and q is the probability that the batch has any differing record.
// The same law in both directions. Proof: docs/proofs/sampling.md#replacement-law
#pragma once

#include <cmath>
#include <vector>

#include "mechanisms/replacement/half_integral.hpp"

namespace plaudit {

/// Exact parameters: 0 < rate < 1; labels k >= 1, increasing, with weights counts / whole > 0 whose
/// sum is at most 1: what is missing is the mass at infinity.
struct Replacement {
  Rational sigma;
  Rational sensitivity;
  Rational rate;
  std::vector<std::uint64_t> labels;
  std::vector<Integer> counts;
  Integer whole;
};

class ReplacementLoss final : public PrivacyLoss {
 public:
  explicit ReplacementLoss(Replacement replacement);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball mass_at_infinity() const override { return Ball(Rational(1 - finite_)); }
  Ball q_mass() const override { return Ball(finite_); }
  std::shared_ptr<const PrivacyLoss> without_rare_draws(double log_mass) const override;
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
  struct Part {
    Rational distance;
    Integer count;
    Integer after;  ///< counts of the labels after it
    double a;
    double log_weight;
    HalfIntegral half;
  };

  /// The parts that a moment of order t needs to a relative e^-nats, and an upper bound of what
  /// the others add to M(t + i s) for every s.
  std::vector<const Part*> needed(const Ball& t, double nats, Ball& rest) const;
  /// Nats for the integrals of the labels, so that what is left out is the greater part.
  double finer(double nats) const {
    return nats + 3 + std::log1p(static_cast<double>(parts_.size()));
  }
  Ball mgf(const Ball& t, double nats) const;
  Ball atom() const;
  template <class Value>
  Ball mean(Value&& value) const;
  Ball share_of(const Integer& count) const;
  Ball weight(const Part& part) const;
  /// Heuristic: nats for the integrals of a label, whose accuracy matters only relative to M(t).
  struct Goal {
    double up;
    double down;
  };
  std::vector<Goal> goals(const std::vector<const Part*>& parts, const Ball& t, double nats) const;
  double estimate_log_crude(const Part& part, double t) const;

  Replacement replacement_;
  Rational finite_ = 0;  ///< sum of the weights
  double q_;
  std::vector<Part> parts_;
};

}  // namespace plaudit
