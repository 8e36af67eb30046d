// A privacy loss whose M on a vertical line comes from its distribution function on a lattice.
//
// The masses p_j of the cells of width d around l_j = j d are those of the loss rounded to the
// lattice, and also d times the density of L + U at l_j, U uniform on a cell. So
//   sum_j p_j e^{z l_j} = S(z) [M(z) + sum_{m != 0} (-1)^m M(z_m) z / z_m],
//   S(z) = sinh(z d / 2) / (z d / 2),   z_m = z + 2 pi i m / d,
// and dividing by S undoes the rounding exactly, up to aliases (docs/proofs/prv.md#rounded).
#pragma once

#include "mechanisms/composition.hpp"

namespace plaudit {

/// How the last line was computed, for texts and ledgers.
struct RoundedRecord {
  double mesh = 0;
  std::size_t points = 0;
  std::size_t transform = 0;
  bool doubles = false;
  Ball aliasing_share;  ///< shares of the errors in the whole error of a value
  Ball tails_share;
  Ball rounding_share;
};

class RoundedLoss final : public PrivacyLoss {
 public:
  /// @param loss one with a Gaussian mixture behind it.
  /// @param most_cells beyond which a line is refused (std::domain_error).
  RoundedLoss(std::shared_ptr<const PrivacyLoss> loss, Direction direction,
              std::shared_ptr<RoundedRecord> record, double most_cells = 2097152);

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
  std::string describe() const override { return "rounded " + loss_->describe(); }

 private:
  std::shared_ptr<const PrivacyLoss> loss_;
  Direction direction_;
  std::shared_ptr<RoundedRecord> record_;
  double most_cells_;
};

}  // namespace plaudit
