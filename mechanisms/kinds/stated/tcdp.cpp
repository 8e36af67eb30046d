// tcdp(rho, omega): any mechanism with truncated concentrated differential privacy (Bun, Dwork,
// Rothblum, Steinke, STOC 2018): D_alpha <= rho alpha for 1 < alpha < omega.
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/bounded_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_tcdp(const Arguments& arguments) {
  const Rational rho = arguments.positive("rho");
  const Rational omega = arguments.number("omega");
  if (omega <= 1) arguments.reject("omega", shown(omega));
  const std::string spec = "tcdp(rho=" + to_string(rho) + ", omega=" + to_string(omega) + ')';
  auto loss = std::make_shared<BoundedLoss>(
      spec, BoundedLoss::Bounds{.linear = rho, .quadratic = rho, .negative = rho, .limit = omega});
  return std::make_shared<SymmetricMechanism>(spec, std::move(loss), moments_alone(), false);
}

}  // namespace

MechanismKind tcdp_kind();
MechanismKind tcdp_kind() {
  return {
      .name = "tcdp",
      .summary = "any mechanism with (rho, omega)-truncated concentrated privacy: upper ends only",
      .parameters = {{"rho", "a number > 0"}, {"omega", "a number > 1"}},
      .adjacency =
          "as_stated: the one for which D_alpha <= rho alpha for 1 < alpha < omega, both alike",
      .theorem = "no pair dominates; moments are bounded (docs/proofs/bounded_moments.md#zcdp)",
      .example = "tcdp(rho=0.1, omega=20)",
      .build = build_tcdp,
  };
}

}  // namespace plaudit
