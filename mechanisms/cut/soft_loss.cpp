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
    : IntegralLoss(Power::one_more),
      whole_(std::move(whole)),
      integral_(mixture, edge, side),
      words_(words(edge, side)) {
  const PrecisionScope scope(bits_of_masses);
  p_mass_ = integral_.on_axis(Ball(1), nats_of_masses);
  q_mass_ = integral_.on_axis(Ball(0), nats_of_masses);
}

/// Between nothing and what all draws have.
Ball SoftLoss::p_above(const Ball& x) const {
  return hull(Ball(0), min(p_mass_, whole_->p_above(x)).upper());
}

Ball SoftLoss::q_above(const Ball& x) const {
  return hull(Ball(0), min(q_mass_, whole_->q_above(x)).upper());
}

Ball SoftLoss::mgf_upper(const Ball& t, double nats) const {
  // the measure is below the whole one
  if (!certainly_nonnegative(power_at(t))) return whole_->mgf_upper(t, nats);
  return IntegralLoss::mgf_upper(t, nats);
}

std::string SoftLoss::describe() const { return whole_->describe() + ", " + words_; }

}  // namespace plaudit
