// laplace(scale, sensitivity): Laplace noise.
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_laplace(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational sensitivity = arguments.positive("sensitivity");
  std::string spec = "laplace(scale=" + to_string(scale);
  if (sensitivity != 1) spec += ", sensitivity=" + to_string(sensitivity);
  return std::make_shared<SymmetricMechanism>(
      spec + ')', std::make_shared<LaplaceLoss>(sensitivity / scale),
      Attainment{Attained::yes, "centres that are `sensitivity` apart have it"});
}

}  // namespace

MechanismKind laplace_kind();
MechanismKind laplace_kind() {
  return {
      .name = "laplace",
      .summary = "noise of density e^{-|x|/scale} / (2 scale)",
      .parameters = {{"scale", "a number > 0", {}, {"b"}}, {"sensitivity", "a number > 0", "1"}},
      .adjacency =
          "as_stated: the one whose centres are `sensitivity` apart; both directions alike",
      .theorem =
          "Lap(sensitivity, scale), Lap(0, scale) is a dominating pair: the curve increases with "
          "the distance (Dong, Roth and Su, JRSS B 84 (2022); Zhu, Dong and Wang, AISTATS 2022)",
      .example = "laplace(scale=10)",
      .build = build_laplace,
  };
}

}  // namespace plaudit
