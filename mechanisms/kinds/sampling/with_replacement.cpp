// with_replacement(mechanism, batch, population): the mechanism on `batch` independent uniform
// draws from the records, replace adjacency. How often the differing record is drawn is
// Binomial(batch, 1/population); the dominating pair is that of replacement_loss.hpp.
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/replacement_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Form = GaussianMixtureMechanism;

MechanismPointer build_with_replacement(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const std::uint64_t batch = arguments.count("batch", 1'000'000);
  const std::uint64_t population = arguments.count("population", 1'000'000'000'000);
  if (const auto multiplier = base->noise_multiplier()) {
    throw SpecError(two_readings("with_replacement", *multiplier));
  }
  const auto& gaussian = plain_gaussian(arguments);
  return std::make_shared<ReplacementMechanism>(
      "with_replacement",
      "with_replacement(" + base->spec() + ", batch=" + std::to_string(batch) +
          ", population=" + std::to_string(population) + ')',
      ReplacementMechanism::Scheme{gaussian.sigma, gaussian.sensitivity,
                                   ReplacementMechanism::Draws::with_replacement, batch,
                                   population});
}

}  // namespace

MechanismKind with_replacement_kind();
MechanismKind with_replacement_kind() {
  return {
      .name = "with_replacement",
      .summary = "the mechanism on `batch` independent uniform draws from the records",
      .parameters = {{"mechanism", "gaussian (no pair is proven here for others)"},
                     {"batch", "an integer from 1 to 10^6", {}, {"batch_size"}},
                     {"population", "an integer from 1 to 10^12", {}, {"population_size"}}},
      .adjacency =
          "replace: `sensitivity` of the gaussian is what replacing one record of a batch moves "
          "the sum by at most",
      .theorem =
          "the curve of Balle, Barthe and Gaboardi (NeurIPS 2018), Theorem 10, has a pair, which "
          "dominates for all orders and so under composition (docs/proofs/sampling.md#replacement)",
      .example = "with_replacement(gaussian(sigma=4, sensitivity=2), batch=100, population=10000)",
      .build = build_with_replacement,
  };
}

}  // namespace plaudit
