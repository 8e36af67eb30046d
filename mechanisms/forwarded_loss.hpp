// A base class for laws that are another law but for a few answers.
//
// Answers that are not written here are those of PrivacyLoss, not of the other law: facts(),
// delta(), tails, atoms, lattices, samples, estimate_cumulants().
#pragma once

#include <memory>
#include <string>

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class ForwardedLoss : public PrivacyLoss {
 public:
  explicit ForwardedLoss(std::shared_ptr<const PrivacyLoss> base) : base_(std::move(base)) {
    facts_.greatest_loss_unknown = base_->facts().greatest_loss_unknown;
  }

  bool has_moments() const override { return base_->has_moments(); }
  Ball log_mgf(const Ball& t) const override { return base_->log_mgf(t); }
  ComplexBall log_mgf(const ComplexBall& z) const override { return base_->log_mgf(z); }
  Ball p_above(const Ball& x) const override { return base_->p_above(x); }
  Ball q_above(const Ball& x) const override { return base_->q_above(x); }
  Ball p_atom(const Ball& x) const override { return base_->p_atom(x); }
  std::optional<Ball> density(const Ball& x) const override { return base_->density(x); }
  Ball mass_at_infinity() const override { return base_->mass_at_infinity(); }
  Ball finite_mass() const override { return base_->finite_mass(); }
  Ball q_mass() const override { return base_->q_mass(); }
  Ball least_loss() const override { return base_->least_loss(); }
  Ball greatest_loss() const override { return base_->greatest_loss(); }
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override {
    return base_->mgf_on_line(t, step, count, accuracy);
  }
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override {
    return base_->mgf_bound_beyond(t, s, nats);
  }
  Ball mgf_upper(const Ball& t, double nats) const override { return base_->mgf_upper(t, nats); }
  CumulantEstimate estimate_cumulant(double t) const override {
    return base_->estimate_cumulant(t);
  }
  double estimate_log_decay(double t, double s) const override {
    return base_->estimate_log_decay(t, s);
  }
  double estimate_line_points(double t, double s, double nats) const override {
    return base_->estimate_line_points(t, s, nats);
  }
  double price_of_line_point() const override { return base_->price_of_line_point(); }
  std::string describe() const override { return base_->describe(); }

 protected:
  std::shared_ptr<const PrivacyLoss> base_;
};

}  // namespace plaudit
