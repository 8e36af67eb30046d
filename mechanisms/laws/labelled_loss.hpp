// The privacy loss of a pair that shows a public label first: label j has the probability w_j under
// P and under Q, and given j the pair is (P_j, Q_j).
//
// Its curve is sum_j w_j H_x(P_j | Q_j), its law is that of L_j with probability w_j, so M = sum_j
// w_j M_j, and tails, atoms and densities are such sums too. Weights are enclosed at the working
// precision. Proof: docs/proofs/poisson_adjacencies.md#labels
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class LabelledLoss final : public PrivacyLoss {
 public:
  struct Label {
    std::function<Ball()> weight;  ///< at the working precision, in (0, 1)
    std::string weight_text;       ///< tells it from others
    /// Null: L = +inf given this label.
    std::shared_ptr<const PrivacyLoss> law;
  };

  /// @param labels at least one that has a law; the weights sum to 1.
  explicit LabelledLoss(std::vector<Label> labels);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  TailMasses tails_above(const std::vector<Ball>& points) const override;
  Ball p_atom(const Ball& x) const override;
  PointMasses masses_at(const Rational& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball mass_at_infinity() const override;
  Ball q_mass() const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  Ball delta(const Ball& epsilon) const override;
  std::shared_ptr<const PrivacyLoss> without_rare_draws(double log_mass) const override;
  std::optional<FrequentLaw> without_rare_labels(double log_mass) const override;
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  Ball mgf_upper(const Ball& t, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double t, double s, double nats) const override;
  std::string describe() const override;

  std::size_t label_count() const { return labels_.size(); }
  /// Of one label; null where it was moved to infinity.
  const PrivacyLoss* law_of(std::size_t label) const { return labels_[label].law.get(); }
  double log_weight(std::size_t label) const { return log_weights_[label]; }

 private:
  /// Those at the working precision.
  std::vector<Ball> weights() const;
  /// The sum of the weight of each label that has a law times `value` of this law.
  template <class Value>
  Ball mean(Value&& value) const;
  /// Nats for label i, whose accuracy matters only relative to M(t).
  std::vector<double> goals(const Ball& t, double nats) const;

  std::vector<Label> labels_;
  std::vector<double> log_weights_;
  mutable std::mutex mutex_;
  mutable long bits_ = 0;  ///< of kept_
  mutable std::vector<Ball> kept_;
};

}  // namespace plaudit
