#include "mechanisms/cut/soft_loss.hpp"

#include "lib/balls/precision.hpp"
#include "lib/text.hpp"

namespace plaudit {

namespace {
constexpr long bits_of_masses = 128;
constexpr double nats_of_masses = 80;

std::string words(const RareEdge& edge, SoftIntegral::Side side) {
  return std::string(side == SoftIntegral::Side::rare ? "rare" : "other") +
         " draws of an edge at " + fixed_text(edge.start) + " of steepness " +
         fixed_text(edge.steepness);
}
}  // namespace

SoftLoss::SoftLoss(const GaussianMixture& mixture, const RareEdge& edge, SoftIntegral::Side side,
                   std::shared_ptr<const PrivacyLoss> whole)
    : whole_(std::move(whole)), integral_(mixture, edge, side), words_(words(edge, side)) {
  const PrecisionScope scope(bits_of_masses);
  p_mass_ = integral_.on_axis(Ball(1), nats_of_masses);
  q_mass_ = integral_.on_axis(Ball(0), nats_of_masses);
}

Ball SoftLoss::log_mgf(const Ball& t) const {
  return log(integral_.on_axis(t + Ball(1), nats_in_force()));
}

ComplexBall SoftLoss::log_mgf(const ComplexBall& z) const {
  return log(integral_.at(z + ComplexBall(1), nats_in_force()));
}

/// Between nothing and what all draws have.
Ball SoftLoss::p_above(const Ball& x) const {
  return hull(Ball(0), min(p_mass_, whole_->p_above(x)).upper());
}

Ball SoftLoss::q_above(const Ball& x) const {
  return hull(Ball(0), min(q_mass_, whole_->q_above(x)).upper());
}

std::optional<Ball> SoftLoss::density(const Ball&) const { return std::nullopt; }

LineValues SoftLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                 LineAccuracy accuracy) const {
  return integral_.on_line(t + Ball(1), step, count, accuracy);
}

Ball SoftLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  return integral_.bound_beyond(t + Ball(1), s, nats);
}

Ball SoftLoss::mgf_upper(const Ball& t, double nats) const {
  const Ball power = t + Ball(1);
  // the measure is below the whole one
  if (!certainly_nonnegative(power)) return whole_->mgf_upper(t, nats);
  return integral_.on_axis(power, nats).upper();
}

CumulantEstimate SoftLoss::estimate_cumulant(double t) const { return integral_.estimate(1 + t); }

double SoftLoss::estimate_log_decay(double t, double s) const {
  return integral_.estimate_log_decay(1 + t, s);
}

double SoftLoss::estimate_line_points(double t, double s, double nats) const {
  return integral_.estimate_points(1 + t, s, nats);
}

std::string SoftLoss::describe() const { return whole_->describe() + ", " + words_; }

}  // namespace plaudit
