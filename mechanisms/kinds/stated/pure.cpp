// pure(epsilon): any epsilon-private mechanism.
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_pure(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  return std::make_shared<SymmetricMechanism>(
      "pure(epsilon=" + to_string(epsilon) + ')', TwoPointLoss::of_epsilon(epsilon, 0),
      Attainment{
          .attained = Attained::yes,
          .why = "the worst epsilon-private mechanism, randomized response of this epsilon, has it",
          .of_a_class = true});
}

}  // namespace

MechanismKind pure_kind();
MechanismKind pure_kind() {
  return {
      .name = "pure",
      .summary = "any epsilon-private mechanism: nothing else is known of it",
      .parameters = {{"epsilon", "a number > 0", {}, {"eps"}}},
      .adjacency =
          "as_stated: the one for which it is epsilon-private in both directions; both alike",
      .theorem =
          "every epsilon-private mechanism is a post-processing of randomized response (Kairouz, "
          "Oh and Viswanath, ICML 2015; docs/proofs/reference_methods.md#two-points)",
      .example = "pure(epsilon=0.1)",
      .build = build_pure,
  };
}

}  // namespace plaudit
