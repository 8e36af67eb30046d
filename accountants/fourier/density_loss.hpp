// A privacy loss whose M on a vertical line comes from Riemann sums of its tilted density.
//
//   d sum_j G(j d) e^{i s j d} = sum_m A(r + i (s + 2 pi m / d))     (Poisson summation)
// so the sum is M(t + i s) up to aliases, and at s = k h with 2 pi / d = K h it is one discrete
// Fourier transform of length K. Everything else is asked of the loss itself. Errors: aliases,
// terms of the sum left out, rounding of the transform (docs/proofs/fourier.md#riemann).
#pragma once

#include "mechanisms/composition.hpp"

namespace plaudit {

/// How the last line was computed, for texts and ledgers.
struct DensityRecord {
  double mesh = 0;
  std::size_t transform = 0;  ///< K
  std::size_t points = 0;     ///< of the sum
  bool doubles = false;       ///< by the radix-2 kernel in binary64
  Ball aliasing_share;        ///< shares of the errors in the whole error of a value
  Ball tails_share;
  Ball rounding_share;
};

class DensityLoss final : public PrivacyLoss {
 public:
  /// @param loss one with a Gaussian mixture behind it.
  DensityLoss(std::shared_ptr<const PrivacyLoss> loss, Direction direction,
              std::shared_ptr<DensityRecord> record);

  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         double nats) const override;

  Ball log_mgf(const Ball& t) const override { return loss_->log_mgf(t); }
  ComplexBall log_mgf(const ComplexBall& z) const override { return loss_->log_mgf(z); }
  Ball p_above(const Ball& x) const override { return loss_->p_above(x); }
  Ball q_above(const Ball& x) const override { return loss_->q_above(x); }
  Ball p_atom(const Ball& x) const override { return loss_->p_atom(x); }
  std::optional<Ball> density(const Ball& x) const override { return loss_->density(x); }
  Ball mass_at_infinity() const override { return loss_->mass_at_infinity(); }
  Ball q_mass() const override { return loss_->q_mass(); }
  Ball least_loss() const override { return loss_->least_loss(); }
  Ball greatest_loss() const override { return loss_->greatest_loss(); }
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override {
    return loss_->mgf_bound_beyond(t, s, nats);
  }
  Ball mgf_upper(const Ball& t, double nats) const override { return loss_->mgf_upper(t, nats); }
  CumulantEstimate estimate_cumulant(double t) const override {
    return loss_->estimate_cumulant(t);
  }
  double estimate_log_decay(double t, double s) const override {
    return loss_->estimate_log_decay(t, s);
  }
  double estimate_line_points(double t, double s, double nats) const override {
    return loss_->estimate_line_points(t, s, nats);
  }
  std::string describe() const override { return "density of " + loss_->describe(); }

 private:
  std::shared_ptr<const PrivacyLoss> loss_;
  Direction direction_;
  std::shared_ptr<DensityRecord> record_;
};

}  // namespace plaudit
