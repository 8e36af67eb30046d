// cdp(mu, tau): any mechanism with (mean-)concentrated differential privacy (Dwork, Rothblum, arXiv
// 1603.01887): the privacy loss has a mean of at most mu, and less its mean it is subgaussian with
// standard tau, E e^{s (L - E L)} <= e^{s^2 tau^2 / 2} for all real s.
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/bounded_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_cdp(const Arguments& arguments) {
  const Rational mu = arguments.number("mu");
  if (mu < 0) arguments.reject("mu", shown(mu));
  const Rational tau = arguments.positive("tau");
  const std::string spec = "cdp(mu=" + to_string(mu) + ", tau=" + to_string(tau) + ')';
  auto loss = std::make_shared<BoundedLoss>(
      spec, BoundedLoss::Bounds{
                .linear = mu, .quadratic = tau * tau / 2, .negative = Rational(0), .limit = {}});
  return std::make_shared<SymmetricMechanism>(spec, std::move(loss), moments_alone(), false);
}

}  // namespace

MechanismKind cdp_kind();
MechanismKind cdp_kind() {
  return {
      .name = "cdp",
      .summary = "any mechanism with (mu, tau)-concentrated privacy: upper ends only",
      .parameters = {{"mu", "a number >= 0"}, {"tau", "a number > 0"}},
      .adjacency =
          "as_stated: the one for which L has a mean <= mu and is tau-subgaussian, both alike",
      .theorem = "no pair dominates; moments are bounded (docs/proofs/bounded_moments.md#cdp)",
      .example = "cdp(mu=0.1, tau=0.5)",
      .build = build_cdp,
  };
}

}  // namespace plaudit
