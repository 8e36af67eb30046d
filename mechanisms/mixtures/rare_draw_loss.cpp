#include "mechanisms/mixtures/rare_draw_loss.hpp"

#include "lib/mutant.hpp"
#include "lib/text.hpp"
#include "mechanisms/mixtures/cut_loss.hpp"

namespace plaudit {

FrequentDrawLoss::FrequentDrawLoss(const GaussianMixture& mixture, double start,
                                   std::shared_ptr<const PrivacyLoss> whole)
    : ForwardedLoss(std::make_shared<CutLoss>(mixture, start, std::move(whole))) {}

Ball FrequentDrawLoss::p_above(const Ball& x) const {
  return clipped_nonnegative(base_->p_above(x) - base_->mass_at_infinity());
}

Ball FrequentDrawLoss::finite_mass() const { return Ball(1) - base_->mass_at_infinity(); }

RareDrawLoss::RareDrawLoss(const GaussianMixture& mixture, double start,
                           std::shared_ptr<const PrivacyLoss> whole)
    : IntegralLoss(Power::one_more),
      mixture_(mixture),
      whole_(std::move(whole)),
      integral_(mixture, start) {}

Ball RareDrawLoss::p_above(const Ball& x) const {
  return certainly_less_equal(x, least_loss()) ? finite_mass()
                                               : min(finite_mass(), whole_->p_above(x));
}

Ball RareDrawLoss::q_above(const Ball& x) const {
  return certainly_less_equal(x, least_loss()) ? q_mass() : min(q_mass(), whole_->q_above(x));
}

std::optional<Ball> RareDrawLoss::density(const Ball& x) const {
  const Ball least = least_loss();
  if (certainly_less(x, least)) return Ball(0);
  if (!certainly_greater(x, least)) return std::nullopt;
  return whole_->density(x);
}

Ball RareDrawLoss::finite_mass() const { return mass_above(mixture_, Ball(integral_.start())); }

Ball RareDrawLoss::q_mass() const { return normal_cdf(-Ball(integral_.start())); }

Ball RareDrawLoss::least_loss() const {
  return integral_.ratio()->log_value(Ball(integral_.start()));
}

Ball RareDrawLoss::mgf_upper(const Ball& t, double nats) const {
  const Ball power = power_at(t);
  if (certainly_nonnegative(power)) return IntegralLoss::mgf_upper(t, nats);
  // f increases, so f^power is at most its value at Y
  if (!certainly_negative(power)) return positive_infinity();
  return (exp(power * least_loss()) *
          PLAUDIT_BOUND("rare_draw.negative_order", q_mass(), ldexp(q_mass(), -20)))
      .upper();
}

std::string RareDrawLoss::describe() const {
  return whole_->describe() + ", draws beyond " + fixed_text(integral_.start()) + " only";
}

}  // namespace plaudit
