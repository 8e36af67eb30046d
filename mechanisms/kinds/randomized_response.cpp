// randomized_response(epsilon) or (probability=p): the true bit with probability
// p = e^epsilon / (1 + e^epsilon), the other one else.
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/laws/two_point_loss.hpp"
#include "mechanisms/registry.hpp"

namespace plaudit {

namespace {

MechanismPointer build_randomized_response(const Arguments& arguments) {
  const Rational value = arguments.number("epsilon");
  const bool by_probability = arguments.given_as("probability");
  const bool allowed = by_probability ? value > Rational(1, 2) && value < 1 : value > 0;
  if (!allowed) arguments.reject("epsilon", shown(value));
  const std::string key = by_probability ? "probability=" : "epsilon=";
  return std::make_shared<SymmetricMechanism>(
      "randomized_response(" + key + to_string(value) + ')',
      by_probability ? TwoPointLoss::of_probability(value) : TwoPointLoss::of_epsilon(value, 0),
      false);
}

}  // namespace

MechanismKind randomized_response_kind();
MechanismKind randomized_response_kind() {
  return {
      .name = "randomized_response",
      .summary = "one bit, reported truthfully with probability e^epsilon / (1 + e^epsilon)",
      .parameters = {{"epsilon",
                      "a number > 0; as probability=, the probability of the true answer, between "
                      "1/2 and 1",
                      {},
                      {"probability", "eps"}}},
      .adjacency = "as_stated: the one for which the bit may change; both directions alike",
      .theorem = "the two laws of the answer are the pair",
      .example = "randomized_response(epsilon=0.1)",
      .build = build_randomized_response,
  };
}

}  // namespace plaudit
