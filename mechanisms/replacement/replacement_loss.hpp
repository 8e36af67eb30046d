// The privacy loss of a Gaussian on a random batch when records are replaced by others.
//
// A public label k >= 1 (how many differing records a batch that has any of them has) is drawn with
// probability w_k; given k, L is log f_k on {y > a_k/2} under the mixture, -log f_k on {y > a_k/2}
// under N(0,1), and 0 with the rest of the mass, where f_k(y) = 1 - q + q e^{a_k y - a_k^2 / 2},
// a_k = k sensitivity / sigma and q is the probability that the batch has any differing record.
// The same law in both directions. Proof: docs/proofs/sampling.md#replacement-law
#pragma once

#include <cmath>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "mechanisms/replacement/batch_labels.hpp"
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
  explicit ReplacementLoss(const Replacement& replacement);
  ReplacementLoss(const Rational& sigma, const Rational& sensitivity,
                  const std::shared_ptr<const BatchLabels>& labels);

  /// The probability that a batch has any differing record.
  Ball rate() const { return labels_->rate(); }
  /// Calls each(distance, log_weight) for the labels that have parts of their own, in floating
  /// point.
  template <class Each>
  void estimate_labels(Each&& each) const {
    for (const Part& part : parts_) each(part.a, part.log_weight);
  }
  /// The mean of a function of a label's distance, which lies in [0, 1], over the finite part.
  Ball mean(const std::function<Ball(const Ball& distance)>& value) const;

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball mass_at_infinity() const override;
  Ball q_mass() const override { return finite_mass(); }
  std::shared_ptr<const PrivacyLoss> without_rare_draws(double log_mass) const override;
  std::optional<FrequentLaw> without_rare_labels(double log_mass) const override;
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
  /// Which labels have a part of their own, and what becomes of the others.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t size = 0;
    /// The label that the others' probability is given to; without it, they are bounded.
    std::optional<std::uint64_t> heir = {};
    std::uint64_t infinite = 0;  ///< so many at the end of the range have L = inf
  };
  struct Part {
    Rational distance;
    Ball after;  ///< upper bound of the weights of the labels after it and beyond the range
    double a;
    double log_weight;
    HalfIntegral half;
  };

  ReplacementLoss(Rational unit, std::shared_ptr<const BatchLabels> labels, Range range);

  using Weights = std::shared_ptr<const std::vector<Ball>>;
  /// Of the labels in the range, at the working precision.
  Weights weights() const;
  static Range range_of(const BatchLabels& labels);
  /// The parts that a moment of order t needs to a relative e^-nats, and an upper bound of what
  /// the others add to M(t + i s) for every s.
  std::vector<std::size_t> needed(const Ball& t, double nats, Ball& rest) const;
  /// Nats for the integrals of the labels, so that their errors together are below the labels left
  /// out.
  double finer(double nats) const {
    return nats + 3 + std::log1p(static_cast<double>(parts_.size()));
  }
  Ball mgf(const Ball& t, double nats) const;
  Ball atom() const;
  /// Heuristic: nats for the integrals of a label, whose accuracy matters only relative to M(t).
  struct Goal {
    double up;
    double down;
  };
  std::vector<Goal> goals(const std::vector<std::size_t>& parts, const Ball& t, double nats) const;
  /// Calls add(weight, half, goal, still) for each label that a moment of order t needs to a
  /// relative e^-nats, `still` the mass that the label leaves at L = 0. Returns an upper bound of
  /// what the other labels add.
  template <class Add>
  Ball each_needed(const Ball& t, double nats, Add&& add) const;
  double estimate_log_crude(const Part& part, double t) const;

  Rational unit_;  ///< sensitivity / sigma, the distance of label 1
  std::shared_ptr<const BatchLabels> labels_;
  Range range_;
  Ball beyond_;  ///< upper bound of the weights neither in the range nor given away
  double q_;
  double infinite_ = 0;  ///< the mass at infinity, in floating point
  std::vector<Part> parts_;
  mutable std::mutex mutex_;
  mutable long bits_ = 0;  ///< of kept_
  mutable Weights kept_;
};

}  // namespace plaudit
