// report_noisy_max(scale, sensitivity): the index of the greatest of several scores with
// independent Laplace or exponential noise of this scale. The Laplace pair of twice the sensitivity
// dominates. Proof: docs/proofs/selection.md#noisy-max
#include "lib/mutant.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

namespace {

/// Two candidates whose scores swap, with Laplace noise of this ratio of sensitivity and scale: the
/// first one is taken with probability 1 - e^-ratio (2 + ratio) / 4 before. Exponential noise has 1
/// - e^-ratio / 2, a better attack. Proof: docs/proofs/attainment.md#two-candidates
MechanismPointer noisy_max_attack(const Rational& ratio) {
  const Ball odds = Ball(4) * exp(Ball(ratio)) / Ball(Rational(2 + ratio)) - Ball(1);
  return two_point_attack(log(PLAUDIT_BOUND("attack.noisy_max", odds, odds * Ball(2))));
}

MechanismPointer build_report_noisy_max(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational sensitivity = arguments.positive("sensitivity");
  std::string spec = "report_noisy_max(scale=" + to_string(scale);
  if (sensitivity != 1) spec += ", sensitivity=" + to_string(sensitivity);
  const Rational distance =
      PLAUDIT_BOUND("noisy_max.distance", Rational(2 * sensitivity), sensitivity);
  return std::make_shared<SymmetricMechanism>(
      spec + ')', std::make_shared<LaplaceLoss>(Rational(distance / scale)),
      Attainment{Attained::unknown,
                 "only exponential noise is known to have its delta, at each epsilon by other "
                 "scores, and the noise may be Laplace noise",
                 noisy_max_attack(Rational(sensitivity / scale))});
}

}  // namespace

MechanismKind report_noisy_max_kind();
MechanismKind report_noisy_max_kind() {
  return {
      .name = "report_noisy_max",
      .summary =
          "which of several scores is greatest after Laplace or exponential noise of `scale`",
      .parameters = {{"scale", "a number > 0"}, {"sensitivity", "a number > 0", "1"}},
      .adjacency =
          "as_stated: the one for which each score changes by at most `sensitivity`; both alike",
      .theorem =
          "the pair of laplace with this scale and twice the sensitivity dominates "
          "(docs/proofs/selection.md#noisy-max)",
      .example = "report_noisy_max(scale=4)",
      .build = build_report_noisy_max,
  };
}

}  // namespace plaudit
