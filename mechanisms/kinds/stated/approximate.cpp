// approximate(epsilon, delta): any (epsilon, delta)-private mechanism.
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_approximate(const Arguments& arguments) {
  const Rational epsilon = arguments.number("epsilon");
  if (epsilon < 0) arguments.reject("epsilon", shown(epsilon));
  const Rational delta = arguments.number("delta");
  if (delta < 0 || delta >= 1) arguments.reject("delta", shown(delta));
  return std::make_shared<SymmetricMechanism>(
      "approximate(epsilon=" + to_string(epsilon) + ", delta=" + to_string(delta) + ')',
      TwoPointLoss::of_epsilon(epsilon, delta),
      Attainment{
          .attained = Attained::yes,
          .why = "the worst (epsilon, delta)-private mechanism has it: randomized response of this "
                 "epsilon which tells all with probability delta",
          .of_a_class = true});
}

}  // namespace

MechanismKind approximate_kind();
MechanismKind approximate_kind() {
  return {
      .name = "approximate",
      .summary = "any (epsilon, delta)-private mechanism: nothing else is known of it",
      .parameters = {{"epsilon", "a number >= 0", {}, {"eps"}},
                     {"delta", "a number with 0 <= delta < 1"}},
      .adjacency =
          "as_stated: the one for which it is (epsilon, delta)-private in both directions; both "
          "alike",
      .theorem =
          "every (epsilon, delta)-private mechanism is a post-processing of this pair (Kairouz, Oh "
          "and Viswanath, ICML 2015; docs/proofs/reference_methods.md#two-points)",
      .example = "approximate(epsilon=0.1, delta=1e-8)",
      .build = build_approximate,
  };
}

}  // namespace plaudit
