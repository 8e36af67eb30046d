// gaussian(sigma, sensitivity): N(sensitivity, sigma^2) against N(0, sigma^2). Its loss depends on
// sensitivity^2 / sigma^2 alone: both may be roots of rationals. Proof:
// docs/proofs/roots.md#gaussian
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Form = GaussianMixtureMechanism;

MechanismPointer build_gaussian(const Arguments& arguments) {
  NoiseLevel noise = arguments.noise_level();
  Rational sensitivity = 1;
  if (const auto root = rational_root(arguments.positive_square("sensitivity"))) {
    sensitivity = *root;
  } else {
    noise.variance /= arguments.positive_square("sensitivity");
    noise.sigma = rational_root(noise.variance);
    if (!is_moderate(to_string(noise.variance)))
      throw SpecError("gaussian: sigma^2 / sensitivity^2 is too long");
  }
  std::string spec = "gaussian(" + noise.text();
  const bool by_multiplier = arguments.given_as("noise_multiplier");
  if (sensitivity != 1) {
    // A noise multiplier is sigma / sensitivity: with another sensitivity it would mean two things.
    if (by_multiplier) {
      throw SpecError("gaussian: sensitivity must be 1 where noise_multiplier is given, not " +
                      shown(sensitivity));
    }
    spec += ", sensitivity=" + to_string(sensitivity);
  }
  const Attainment attainment{Attained::yes, "centres that are `sensitivity` apart have it"};
  if (!noise.sigma) {
    return std::make_shared<SymmetricMechanism>(
        spec + ')',
        std::make_shared<GaussianLoss>(Rational(sensitivity * sensitivity / (2 * noise.variance))),
        attainment);
  }
  return std::make_shared<Form>(
      spec + ')', GaussianMixture{*noise.sigma, {sensitivity}, {1}},
      Form::Origin{.gaussian = Form::SampledGaussian{*noise.sigma, sensitivity, 1, by_multiplier},
                   .attainment = attainment});
}

}  // namespace

MechanismKind gaussian_kind();
MechanismKind gaussian_kind() {
  return {
      .name = "gaussian",
      .summary = "noise N(0, sigma^2); sigma/sensitivity is the noise multiplier",
      .parameters = {{"sigma",
                      "a number > 0",
                      {},
                      {"noise_multiplier", "std", "standard_deviation", "variance"}},
                     {"sensitivity", "a number > 0", "1"}},
      .adjacency =
          "as_stated: the one whose centres are `sensitivity` apart; both directions alike",
      .theorem =
          "N(sensitivity, sigma^2), N(0, sigma^2) is a dominating pair "
          "(Balle and Wang, ICML 2018; Dong, Roth and Su, JRSS B 84 (2022))",
      .example = "gaussian(sigma=2)",
      .build = build_gaussian,
  };
}

}  // namespace plaudit
