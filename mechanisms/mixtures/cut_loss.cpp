#include "mechanisms/mixtures/cut_loss.hpp"

#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/text.hpp"

namespace plaudit {

CutLoss::CutLoss(const GaussianMixture& mixture, double cut,
                 std::shared_ptr<const PrivacyLoss> whole)
    : IntegralLoss(Power::one_more),
      mixture_(mixture),
      whole_(std::move(whole)),
      integral_(mixture, cut) {
  facts_.cut = integral_.cut();
}

Ball CutLoss::p_above(const Ball& x) const {
  if (certainly_greater_equal(x, greatest_loss())) return mass_at_infinity();
  return PLAUDIT_BOUND("cut.mass_of_rare_draws", max(whole_->p_above(x), mass_at_infinity()),
                       clipped_nonnegative(whole_->p_above(x) - mass_at_infinity()));
}

Ball CutLoss::q_above(const Ball& x) const {
  if (certainly_greater_equal(x, greatest_loss())) return Ball(0);
  return PLAUDIT_BOUND("cut.q_mass_of_rare_draws",
                       clipped_nonnegative(whole_->q_above(x) - normal_cdf(-Ball(integral_.cut()))),
                       whole_->q_above(x));
}

std::optional<Ball> CutLoss::density(const Ball& x) const {
  const Ball greatest = greatest_loss();
  if (certainly_greater(x, greatest)) return Ball(0);
  if (!certainly_less(x, greatest)) return std::nullopt;
  return whole_->density(x);
}

// Proof: docs/proofs/cut.md#cut
Ball CutLoss::mass_at_infinity() const { return mass_above(mixture_, Ball(integral_.cut())); }

Ball CutLoss::q_mass() const { return normal_cdf(Ball(integral_.cut())); }

Ball CutLoss::least_loss() const { return whole_->least_loss(); }

Ball CutLoss::greatest_loss() const { return integral_.ratio()->log_value(Ball(integral_.cut())); }

Ball CutLoss::mgf_upper(const Ball& t, double nats) const {
  // the restricted measure is below the whole one
  if (!certainly_nonnegative(power_at(t))) return whole_->mgf_upper(t, nats);
  return IntegralLoss::mgf_upper(t, nats);
}

CumulantEstimate CutLoss::estimate_cumulant(double t) const {
  return t < -1 ? whole_->estimate_cumulant(t) : IntegralLoss::estimate_cumulant(t);
}

double CutLoss::estimate_line_points(double, double, double nats) const {
  return 0.5 * integral_.rough_points(nats);  // no tables to fill, so cheaper points
}

std::string CutLoss::describe() const {
  return whole_->describe() + ", draws beyond " + fixed_text(integral_.cut()) +
         " moved to infinity";
}

}  // namespace plaudit
