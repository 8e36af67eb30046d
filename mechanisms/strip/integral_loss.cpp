#include "mechanisms/strip/integral_loss.hpp"

namespace plaudit {

Ball IntegralLoss::log_mgf(const Ball& t) const {
  return log(integral().on_axis(power_at(t), nats_in_force()));
}

ComplexBall IntegralLoss::log_mgf(const ComplexBall& z) const {
  return log(integral().at(power_at(z), nats_in_force()));
}

// I(-z) at z = t + i s is the conjugate of I(-t + i s), for I is real on the axis.
LineValues IntegralLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                     LineAccuracy accuracy) const {
  LineValues line = integral().on_line(power_at(t), step, count, accuracy);
  if (power_ == Power::negated) {
    for (ComplexBall& value : line.values) value = conjugate(value);
  }
  return line;
}

Ball IntegralLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  return integral().bound_beyond(power_at(t), s, nats);
}

Ball IntegralLoss::mgf_upper(const Ball& t, double nats) const {
  return integral().on_axis(power_at(t), nats).upper();
}

CumulantEstimate IntegralLoss::estimate_cumulant(double t) const {
  CumulantEstimate result = integral().estimate(power_at(t));
  if (power_ == Power::negated) result.mean = -result.mean;
  return result;
}

double IntegralLoss::estimate_log_decay(double t, double s) const {
  return integral().estimate_log_decay(power_at(t), s);
}

double IntegralLoss::estimate_line_points(double t, double s, double nats) const {
  return integral().estimate_points(power_at(t), s, nats);
}

}  // namespace plaudit
