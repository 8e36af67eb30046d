// without_replacement(mechanism, batch, population, adjacency): the mechanism on a batch of fixed
// size, drawn afresh in every step as a uniformly random subset of the records.
//
// Add/remove: the record that enters pushes another one out, so the sum moves by up to twice what
// one record contributes: the mixture of Gaussians with sensitivities 2 * sensitivity * k,
// k ~ Hypergeometric(batch, population + 1, 1) (Ganesh, arXiv 2401.10294, Theorem 3.3).
// Replace: the pair of Zhu, Dong and Wang with its atom at 0 (replacement_loss.hpp).
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/replacement_mechanism.hpp"
#include "mechanisms/forms/sampling_laws.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Form = GaussianMixtureMechanism;

MechanismPointer build_without_replacement(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const std::uint64_t population = arguments.count("population", 1'000'000'000'000);
  const std::uint64_t batch = arguments.count("batch", population);
  const std::string adjacency = arguments.word("adjacency", {"add_remove", "replace"});
  const auto& gaussian = plain_gaussian(arguments);
  const std::string spec =
      "without_replacement(" + base->spec() + ", batch=" + std::to_string(batch) +
      ", population=" + std::to_string(population) + ", adjacency=" + adjacency + ')';

  if (adjacency == "replace") {
    if (const auto multiplier = base->noise_multiplier()) {
      throw SpecError(two_readings("without_replacement", *multiplier));
    }
    return std::make_shared<ReplacementMechanism>(
        "without_replacement", spec,
        ReplacementMechanism::Scheme{gaussian.sigma, gaussian.sensitivity,
                                     ReplacementMechanism::Draws::without_replacement, batch,
                                     population});
  }
  const CountLaw law = hypergeometric_law("without_replacement", batch, population, 1);
  return std::make_shared<Form>(
      spec, GaussianMixture{gaussian.sigma, {0, 2 * gaussian.sensitivity}, law},
      Form::Origin{
          .one_record = false,
          .fixed_batch = Form::FixedBatch{gaussian.sigma, gaussian.sensitivity, batch, population},
          .adjacency = Adjacency::of_one_record(Adjacency::add_remove),
          .attainment = {Attained::yes,
                         "`population` records that contribute -sensitivity and one that "
                         "contributes sensitivity have it",
                         nullptr,
                         {population, population}}});
}

}  // namespace

MechanismKind without_replacement_kind();
MechanismKind without_replacement_kind() {
  return {
      .name = "without_replacement",
      .summary = "the mechanism on a batch of fixed size, a uniformly random subset of the records",
      .parameters = {{"mechanism", "gaussian (no pair is proven here for others)"},
                     {"batch", "an integer from 1 to population", {}, {"batch_size"}},
                     {"population", "an integer from 1 to 10^12", {}, {"population_size"}},
                     {"adjacency", "add_remove or replace"}},
      .adjacency =
          "add_remove: `population` is the size of the smaller data set at least, `sensitivity` of "
          "the gaussian what one record contributes at most; replace: `sensitivity` is what "
          "replacing "
          "one record of a batch moves the sum by at most",
      .theorem =
          "the mixture of Gaussians with sensitivities 2k * sensitivity, k ~ "
          "Hypergeometric(batch, population + 1, 1), dominates (Ganesh, arXiv 2401.10294, Theorem "
          "3.3)",
      .theorems_elsewhere = {{Adjacency::replace,
                              "max of H((1-q) Q + q P | Q) and its mirror image has a pair, which "
                              "dominates (Zhu, Dong and Wang, AISTATS 2022; "
                              "docs/proofs/sampling.md#replacement)"}},
      .example =
          "without_replacement(gaussian(sigma=4, sensitivity=2)"
          ", batch=100, population=10000, adjacency=replace)",
      .build = build_without_replacement,
  };
}

}  // namespace plaudit
