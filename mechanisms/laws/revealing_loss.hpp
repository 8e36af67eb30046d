// The privacy loss of a pair beside an event that only one of the two data sets can show.
//
// (P, Q) is a base pair, P of the first data set: that with the record (remove), or without it
// (add). The event has the probability 1 - w with the record, 0 < w <= 1, and else the base
// decides. Remove: w P and the event against Q, so L = log w + L(P, Q). Add: P against w Q and the
// event, so L = L(P, Q) - log w. Proof: docs/proofs/thresholds.md#curves
#pragma once

#include <functional>

#include "mechanisms/forwarded_loss.hpp"

namespace plaudit {

class RevealingLoss final : public ForwardedLoss {
 public:
  /// @param base of (P, Q) in this direction, without mass at infinity and with Q(dP/dQ > 0) = 1.
  /// @param unseen w, at the working precision.
  RevealingLoss(std::shared_ptr<const PrivacyLoss> base, std::function<Ball()> unseen,
                std::string text, Direction direction)
      : ForwardedLoss(std::move(base)),
        unseen_(std::move(unseen)),
        text_(std::move(text)),
        remove_(direction == Direction::remove) {}

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball delta(const Ball& epsilon) const override;
  Ball mass_at_infinity() const override;
  Ball finite_mass() const override { return p_share(); }
  Ball q_mass() const override { return q_share(); }
  Ball least_loss() const override { return base_->least_loss() + moved(); }
  Ball greatest_loss() const override { return base_->greatest_loss() + moved(); }
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  Ball mgf_upper(const Ball& t, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  std::string describe() const override;

 private:
  /// By how much L is more than that of (P, Q).
  Ball moved() const;
  Ball p_share() const { return remove_ ? unseen_() : Ball(1); }
  Ball q_share() const { return remove_ ? Ball(1) : unseen_(); }
  /// M(t) of this law over that of (P, Q).
  Ball factor(const Ball& t) const { return p_share() * exp(t * moved()); }

  std::function<Ball()> unseen_;
  std::string text_;
  bool remove_;
};

}  // namespace plaudit
