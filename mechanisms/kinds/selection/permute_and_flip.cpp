// permute_and_flip(epsilon): permute-and-flip (McKenna and Sheldon, NeurIPS 2020), which is the
// noisy maximum with exponential noise: the Laplace pair of ratio epsilon dominates. Proof:
// docs/proofs/selection.md#permute-and-flip
#include "lib/mutant.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

namespace {

/// Two candidates whose scores swap: the first one is taken with probability 1 - e^(-epsilon/2) / 2
/// before and e^(-epsilon/2) / 2 after. Proof: docs/proofs/attainment.md#two-candidates
MechanismPointer permute_and_flip_attack(const Rational& epsilon) {
  const Ball half(Rational(epsilon / 2));
  return two_point_attack(PLAUDIT_BOUND("attack.permute_and_flip", log1p(Ball(2) * expm1(half)),
                                        Ball(2) * half * Ball(Rational(1001, 1000))));
}

MechanismPointer build_permute_and_flip(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  return std::make_shared<SymmetricMechanism>(
      "permute_and_flip(epsilon=" + to_string(epsilon) + ')',
      std::make_shared<LaplaceLoss>(epsilon),
      Attainment{Attained::each_epsilon,
                 "two candidates have its delta at one epsilon, other scores at another one, so "
                 "several steps are only bounded by it",
                 permute_and_flip_attack(epsilon)});
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
