// gaussian(sigma, sensitivity): N(sensitivity, sigma^2) against N(0, sigma^2).
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Form = GaussianMixtureMechanism;

MechanismPointer build_gaussian(const Arguments& arguments) {
  const Rational sigma = arguments.positive("sigma");
  const Rational sensitivity = arguments.positive("sensitivity");
  std::string spec = "gaussian(sigma=" + to_string(sigma);
  const bool by_multiplier = arguments.given_as("noise_multiplier");
  if (sensitivity != 1) {
    // A noise multiplier is sigma / sensitivity: with another sensitivity it would mean two things.
    if (by_multiplier) {
      throw SpecError("gaussian: sensitivity must be 1 where noise_multiplier is given, not " +
                      shown(sensitivity));
    }
    spec += ", sensitivity=" + to_string(sensitivity);
  }
  return std::make_shared<Form>(
      spec + ')', GaussianMixture{sigma, {sensitivity}, {1}},
      Form::Origin{.gaussian = Form::SampledGaussian{sigma, sensitivity, 1, by_multiplier},
                   .attainment = {Attained::yes, "centres that are `sensitivity` apart have it"}});
}

}  // namespace

MechanismKind gaussian_kind();
MechanismKind gaussian_kind() {
  return {
      .name = "gaussian",
      .summary = "noise N(0, sigma^2); sigma/sensitivity is the noise multiplier",
      .parameters =
          {{"sigma", "a number > 0", {}, {"noise_multiplier", "std", "standard_deviation"}},
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
