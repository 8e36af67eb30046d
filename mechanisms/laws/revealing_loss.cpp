#include "mechanisms/laws/revealing_loss.hpp"

#include <cmath>

#include "lib/mutant.hpp"

namespace plaudit {

Ball RevealingLoss::moved() const {
  const Ball log_share = log(unseen_());
  return remove_ ? log_share : -log_share;
}

Ball RevealingLoss::mass_at_infinity() const {
  return remove_ ? PLAUDIT_BOUND("revealing.seen", Ball(1) - unseen_(), Ball(0)) : Ball(0);
}

Ball RevealingLoss::log_mgf(const Ball& t) const {
  return log(p_share()) + t * moved() + base_->log_mgf(t);
}

ComplexBall RevealingLoss::log_mgf(const ComplexBall& z) const {
  return ComplexBall(log(p_share())) + z * ComplexBall(moved()) + base_->log_mgf(z);
}

Ball RevealingLoss::p_above(const Ball& x) const {
  return mass_at_infinity() + p_share() * base_->p_above(x - moved());
}

Ball RevealingLoss::q_above(const Ball& x) const { return q_share() * base_->q_above(x - moved()); }

Ball RevealingLoss::p_atom(const Ball& x) const { return p_share() * base_->p_atom(x - moved()); }

std::optional<Ball> RevealingLoss::density(const Ball& x) const {
  const auto inside = base_->density(x - moved());
  if (!inside) return std::nullopt;
  return p_share() * *inside;
}

// Proof: docs/proofs/thresholds.md#curves
Ball RevealingLoss::delta(const Ball& epsilon) const {
  return mass_at_infinity() + p_share() * base_->delta(epsilon - moved());
}

LineValues RevealingLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                      LineAccuracy accuracy) const {
  LineValues line = base_->mgf_on_line(t, step, count, accuracy);
  const Ball front = factor(t);
  const Ball turn = step * moved();
  for (std::size_t k = 0; k < line.values.size(); ++k) {
    const Ball angle = Ball(static_cast<std::uint64_t>(k)) * turn;
    line.values[k] *= ComplexBall(front * cos(angle), front * sin(angle));
  }
  line.quadrature *= front;
  return line;
}

Ball RevealingLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  return (factor(t) * base_->mgf_bound_beyond(t, s, nats)).upper();
}

Ball RevealingLoss::mgf_upper(const Ball& t, double nats) const {
  return (factor(t) * base_->mgf_upper(t, nats)).upper();
}

CumulantEstimate RevealingLoss::estimate_cumulant(double t) const {
  CumulantEstimate result = base_->estimate_cumulant(t);
  const double moves = moved().estimate();
  result.value += std::log(p_share().estimate()) + t * moves;
  result.mean += moves;
  return result;
}

std::string RevealingLoss::describe() const {
  return base_->describe() + (remove_ ? ", seen with" : ", not seen without") + " a record, " +
         text_;
}

}  // namespace plaudit
