// exponential(epsilon): the exponential mechanism, outputs with probability proportional to
// e^{epsilon u / (2 D)} for scores u that change by at most D; noisy maxima with Gumbel noise too.
// Its range is bounded. Proof: docs/proofs/selection.md#exponential
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/range_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_exponential(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  // Two candidates whose scores swap. Proof: docs/proofs/attainment.md#two-candidates
  return std::make_shared<SymmetricMechanism>(
      "exponential(epsilon=" + to_string(epsilon) + ')', std::make_shared<RangeLoss>(epsilon),
      Attainment{Attained::each_epsilon,
                 "two candidates have its delta at one epsilon, other scores at another one, so "
                 "several steps are only bounded by it",
                 two_point_attack(Ball(Rational(epsilon / 2)))});
}

}  // namespace

MechanismKind exponential_kind();
MechanismKind exponential_kind() {
  return {
      .name = "exponential",
      .summary =
          "the exponential mechanism: output r with probability proportional to e^(epsilon u(r) / "
          "(2 D))",
      .parameters = {{"epsilon", "a number > 0", {}, {"eps"}}},
      .adjacency =
          "as_stated: the one for which each score u changes by at most D; both directions alike",
      .theorem =
          "the exponential mechanism is of range epsilon (McSherry and Talwar, FOCS 2007), and the "
          "pair "
          "of bounded_range dominates (docs/proofs/selection.md#exponential)",
      .example = "exponential(epsilon=0.5)",
      .build = build_exponential,
  };
}

}  // namespace plaudit
