// renyi_profile(orders, divergences): any mechanism of which the Renyi divergence of each of these
// orders is at most the number beside it, in both directions.
//
// t D_(1+t) is convex in t and 0 at 0, so it is at most the lower hull of these points; beyond the
// last order nothing is known. Proof: docs/proofs/bounded_moments.md#profile
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/bounded_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_orders = 1000;

MechanismPointer build_renyi_profile(const Arguments& arguments) {
  const std::vector<Rational>& orders = arguments.list("orders");
  const std::vector<Rational>& divergences = arguments.list("divergences");
  if (orders.size() != divergences.size() || orders.empty() || orders.size() > most_orders) {
    throw SpecError("renyi_profile: orders and divergences must be as many, from 1 to " +
                    std::to_string(most_orders));
  }
  std::vector<BoundedLoss::Point> points;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i] <= (i == 0 ? Rational(1) : orders[i - 1])) {
      arguments.reject("orders", shown(orders[i]));
    }
    if (divergences[i] <= 0) arguments.reject("divergences", shown(divergences[i]));
    const Rational t = orders[i] - 1;
    points.push_back({t, Rational(t * divergences[i])});
  }
  const std::string spec =
      "renyi_profile(orders=" + list_text(orders) + ", divergences=" + list_text(divergences) + ')';
  auto loss = std::make_shared<BoundedLoss>(spec, BoundedLoss::bounds_at(points));
  return std::make_shared<SymmetricMechanism>(spec, std::move(loss), moments_alone(), false);
}

}  // namespace

MechanismKind renyi_profile_kind();
MechanismKind renyi_profile_kind() {
  return {
      .name = "renyi_profile",
      .summary = "any mechanism with bounds of its Renyi divergences: upper ends only",
      .parameters = {{"orders", "a list of rising numbers > 1"},
                     {"divergences", "a list of as many numbers > 0"}},
      .adjacency =
          "as_stated: the one for which D_alpha is at most its number for each alpha, both alike",
      .theorem = "no pair dominates; moments are bounded (docs/proofs/bounded_moments.md#profile)",
      .example = "renyi_profile(orders=[2, 8, 32], divergences=[0.1, 0.45, 2])",
      .build = build_renyi_profile,
  };
}

}  // namespace plaudit
