// bounded_range(epsilon): any mechanism whose privacy losses, for one pair of neighbours, differ by
// at most epsilon. Proof: docs/proofs/selection.md#bounded-range
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/range_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_bounded_range(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  // Randomized response is of this range. Proof: docs/proofs/attainment.md#two-candidates
  return std::make_shared<SymmetricMechanism>(
      "bounded_range(epsilon=" + to_string(epsilon) + ')', std::make_shared<RangeLoss>(epsilon),
      Attainment{Attained::each_epsilon,
                 "one mechanism of this range has its delta at one epsilon, another one at another "
                 "epsilon, so several steps are only bounded by it",
                 two_point_attack(Ball(Rational(epsilon / 2)))});
}

}  // namespace

MechanismKind bounded_range_kind();
MechanismKind bounded_range_kind() {
  return {
      .name = "bounded_range",
      .summary =
          "any mechanism whose privacy losses for two neighbours lie in an interval of length "
          "epsilon",
      .parameters = {{"epsilon", "a number > 0", {}, {"eps"}}},
      .adjacency = "as_stated: the one for which the range is bounded; both directions alike",
      .theorem =
          "the pair with the upper envelope of the curves of all such mechanisms dominates them "
          "(docs/proofs/selection.md#bounded-range; the mechanisms: Dong, Durfee and Rogers, ICML "
          "2020)",
      .example = "bounded_range(epsilon=0.5)",
      .build = build_bounded_range,
  };
}

}  // namespace plaudit
