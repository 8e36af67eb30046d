// discrete_gaussian(sigma or variance, sensitivity): noise of probability proportional to
// e^{-k^2 / (2 sigma^2)} on the integers (Canonne, Kamath, Steinke, NeurIPS 2020).
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/discrete_gaussian_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_gaussian_sensitivity = 1'000'000'000;

/// Sums over the noise have about 15 sigma terms.
const Rational& most_variance() {
  static const Rational most = parse_rational("1e10");
  return most;
}

MechanismPointer build_discrete_gaussian(const Arguments& arguments) {
  const NoiseLevel noise = arguments.noise_level();
  const Rational& variance = noise.variance;
  const bool by_variance = arguments.given_as("variance") || !noise.sigma;
  const Rational& given = by_variance ? variance : *noise.sigma;
  if (variance > most_variance()) arguments.reject("sigma", shown(given));
  const auto sensitivity =
      static_cast<long>(arguments.count("sensitivity", most_gaussian_sensitivity));
  std::string spec =
      std::string("discrete_gaussian(") + (by_variance ? "variance=" : "sigma=") + to_string(given);
  if (sensitivity != 1) spec += ", sensitivity=" + std::to_string(sensitivity);
  return std::make_shared<SymmetricMechanism>(
      spec + ')', std::make_shared<DiscreteGaussianLoss>(variance, sensitivity),
      Attainment{Attained::yes, "integer answers that are `sensitivity` apart have it"});
}

}  // namespace

MechanismKind discrete_gaussian_kind();
MechanismKind discrete_gaussian_kind() {
  return {
      .name = "discrete_gaussian",
      .summary = "integer noise of probability proportional to e^{-k^2 / (2 sigma^2)}",
      .parameters = {{"sigma",
                      "a number > 0 with square at most 10^10; as variance=, the square itself",
                      {},
                      {"variance"}},
                     {"sensitivity", "an integer from 1 to 10^9", "1"}},
      .adjacency =
          "as_stated: the one whose integer answers differ by at most `sensitivity`; both alike",
      .theorem =
          "the noise shifted by `sensitivity` and the noise itself are a dominating pair: it is "
          "log-concave (docs/proofs/discrete.md#shift; Canonne, Kamath and Steinke, NeurIPS 2020)",
      .example = "discrete_gaussian(sigma=10)",
      .build = build_discrete_gaussian,
  };
}

}  // namespace plaudit
