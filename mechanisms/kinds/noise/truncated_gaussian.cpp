// truncated_gaussian(sigma or variance, bound, sensitivity): Gaussian noise of which nothing beyond
// +-bound is drawn. Proof: docs/proofs/truncated.md#gaussian
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/truncated_gaussian_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_truncated_gaussian(const Arguments& arguments) {
  const NoiseLevel noise = arguments.noise_level();
  const Rational bound = arguments.positive("bound");
  const Rational sensitivity = arguments.positive("sensitivity");
  if (bound < sensitivity) arguments.reject("bound", shown(bound));
  std::string spec =
      "truncated_gaussian(" +
      (arguments.given_as("variance") ? "variance=" + to_string(noise.variance) : noise.text()) +
      ", bound=" + to_string(bound);
  if (sensitivity != 1) spec += ", sensitivity=" + to_string(sensitivity);
  return std::make_shared<SymmetricMechanism>(
      spec + ')', std::make_shared<TruncatedGaussianLoss>(noise.variance, bound, sensitivity),
      Attainment{Attained::yes, "centres that are `sensitivity` apart have it"});
}

}  // namespace

MechanismKind truncated_gaussian_kind();
MechanismKind truncated_gaussian_kind() {
  return {
      .name = "truncated_gaussian",
      .summary = "Gaussian noise of which nothing beyond +-bound is drawn",
      .parameters = {{"sigma", "a number > 0; as variance=, the square itself", {}, {"variance"}},
                     {"bound", "a number that is at least the sensitivity"},
                     {"sensitivity", "a number > 0", "1"}},
      .adjacency =
          "as_stated: the one whose centres are `sensitivity` apart; both directions alike",
      .theorem =
          "the noise shifted by `sensitivity` and the noise itself are a dominating pair: it is "
          "log-concave (docs/proofs/truncated.md#shift)",
      .example = "truncated_gaussian(sigma=1, bound=8)",
      .build = build_truncated_gaussian,
  };
}

}  // namespace plaudit
