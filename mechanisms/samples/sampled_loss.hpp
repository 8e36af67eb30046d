// Poisson sample of a mechanism whose loss has a continuous part or infinitely many values.
//
// With l the loss of the base pair and y(x) the value of l at which the sampled loss is x, all
// probabilities are mixtures of those of the base at y(x). Proof: docs/proofs/discrete.md#sampled
#pragma once

#include <functional>

#include "mechanisms/direction.hpp"
#include "mechanisms/laws/atom_estimate.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class SampledLoss final : public PrivacyLoss {
 public:
  struct Parts {
    /// Loss of the pair without sampling. Its law must be the same in both directions, P and Q
    /// absolutely continuous with respect to each other.
    std::shared_ptr<const PrivacyLoss> base;
    Rational rate;  ///< in (0, 1)
    Direction direction;
    /// A(w) = E_Q[(1 - rate + rate e^l)^w] for finite w: M(z) = A(1+z) (remove) or A(-z) (add).
    std::function<ComplexBall(const ComplexBall& w)> moment;
    AtomEstimate estimate;  ///< of the sampled law
    /// Upper bound of |A(r + i s')| for real r and all |s'| >= s > 0, where one is known that
    /// decays, and the logarithm of its ratio to A(r) in floating point.
    std::function<Ball(const Ball& r, const Ball& s)> bound_beyond = {};
    std::function<double(double r, double s)> estimate_log_decay = {};
    /// A(r + i k step) for k < count from the points of one integral, and how many points that are
    /// up to a height, in floating point; both or neither.
    std::function<LineValues(const Ball& r, const Ball& step, std::size_t count,
                             const LineAccuracy& accuracy)>
        on_line = {};
    std::function<double(double r, double s, double nats)> estimate_points = {};
    LossFacts facts = {};  ///< of the sampled law
  };

  explicit SampledLoss(Parts parts) : parts_(std::move(parts)) {
    facts_ = parts_.facts;
    facts_.greatest_loss_unknown = parts_.base->facts().greatest_loss_unknown;
  }

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  Ball delta(const Ball& epsilon) const override;
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  std::shared_ptr<const AtomicLaw> atoms(double tilt, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override {
    return parts_.estimate.cumulant(t);
  }
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double, double, double) const override;
  std::string describe() const override;

 private:
  bool removes() const { return parts_.direction == Direction::remove; }
  /// e^{y(x)} for remove, e^{-y(x)} for add; where it is not positive, no loss of the base gives x.
  Ball exp_base(const Ball& x) const;
  /// The sampled loss at the loss l of the base.
  Ball from_base(const Ball& l) const;
  Ball above(const Ball& x, bool under_q) const;

  Parts parts_;
};

}  // namespace plaudit
