// permute_and_flip(epsilon): permute-and-flip (McKenna and Sheldon, NeurIPS 2020), which is the
// noisy maximum with exponential noise: the Laplace pair of ratio epsilon dominates. Proof:
// docs/proofs/selection.md#permute-and-flip
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/registry.hpp"

namespace plaudit {

namespace {

MechanismPointer build_permute_and_flip(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  return std::make_shared<SymmetricMechanism>(
      "permute_and_flip(epsilon=" + to_string(epsilon) + ')',
      std::make_shared<LaplaceLoss>(epsilon), true);
}

}  // namespace

MechanismKind permute_and_flip_kind();
MechanismKind permute_and_flip_kind() {
  return {
      .name = "permute_and_flip",
      .summary =
          "permute-and-flip: random order, the first r that passes a coin of e^(epsilon (u(r) - "
          "max u) / (2 D))",
      .parameters = {{"epsilon", "a number > 0", {}, {"eps"}}},
      .adjacency =
          "as_stated: the one for which each score u changes by at most D; both directions alike",
      .theorem =
          "it is the noisy maximum with exponential noise of scale 2 D / epsilon, and the pair of "
          "laplace with sensitivity / scale = epsilon dominates "
          "(docs/proofs/selection.md#permute-and-flip)",
      .example = "permute_and_flip(epsilon=0.5)",
      .build = build_permute_and_flip,
  };
}

}  // namespace plaudit
