// zcdp(rho): any mechanism with zero-concentrated differential privacy (Bun, Steinke, TCC 2016-B):
// Renyi divergences D_alpha <= rho alpha of all orders alpha > 1, so K(t) = t D_{1+t} <= rho t
// (1+t).
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/bounded_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_zcdp(const Arguments& arguments) {
  const Rational rho = arguments.positive("rho");
  const std::string spec = "zcdp(rho=" + to_string(rho) + ')';
  auto loss = std::make_shared<BoundedLoss>(
      spec, BoundedLoss::Bounds{.linear = rho, .quadratic = rho, .negative = rho, .limit = {}});
  return std::make_shared<SymmetricMechanism>(spec, std::move(loss), moments_alone(), false);
}

}  // namespace

MechanismKind zcdp_kind();
MechanismKind zcdp_kind() {
  return {
      .name = "zcdp",
      .summary = "any mechanism with rho-zero-concentrated privacy: upper ends only",
      .parameters = {{"rho", "a number > 0"}},
      .adjacency =
          "as_stated: the one for which D_alpha <= rho alpha for all alpha > 1, both alike",
      .theorem = "no pair dominates; moments are bounded (docs/proofs/bounded_moments.md#zcdp)",
      .example = "zcdp(rho=0.1)",
      .build = build_zcdp,
  };
}

}  // namespace plaudit
