// group(mechanism, size): the pair for up to `size` records that change together. A random number
// of them is in a batch, and the sum moves by at most that many sensitivities (Ganesh, arXiv
// 2401.10294; docs/proofs/sampling.md#fixed-batches).
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/replacement_mechanism.hpp"
#include "mechanisms/forms/sampling_laws.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Form = GaussianMixtureMechanism;

/// The Gaussian mixture with sensitivity k * `sensitivity` of probability law[k].
GaussianMixture counted(const Rational& sigma, const Rational& sensitivity, CountLaw law) {
  GaussianMixture mixture{sigma, {}, std::move(law)};
  for (std::size_t k = 0; k < mixture.probabilities.size(); ++k) {
    mixture.sensitivities.push_back(sensitivity * k);
  }
  return mixture;
}

MechanismPointer build_group(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const std::uint64_t size = arguments.count("size", most_components - 1);
  const std::string spec = "group(" + base->spec() + ", size=" + std::to_string(size) + ')';
  Adjacency adjacency = base->adjacency();
  adjacency.group = size;
  const Attainment attained{Attained::yes,
                            "records of the group that all move the sum the same way have it"};
  const auto* form = dynamic_cast<const Form*>(base.get());
  if (form != nullptr) {
    const auto& sampled = form->origin().gaussian;
    if (sampled && !sampled->several && form->origin().one_record) {
      return std::make_shared<Form>(
          spec,
          counted(sampled->sigma, sampled->sensitivity, binomial_law("group", size, sampled->rate)),
          Form::Origin{.one_record = false,
                       .group = Mechanism::Group{base, size},
                       .adjacency = adjacency,
                       .attainment = attained});
    }
    if (const auto& fixed = form->origin().fixed_batch) {  // of a single record
      Attainment of_batches = attained;
      of_batches.others = {fixed->population, fixed->population};
      return std::make_shared<Form>(
          spec,
          counted(fixed->sigma, 2 * fixed->sensitivity,
                  hypergeometric_law("group", fixed->batch, fixed->population, size)),
          Form::Origin{.one_record = false,
                       .group = Mechanism::Group{base, size},
                       .adjacency = adjacency,
                       .attainment = std::move(of_batches)});
    }
  }
  if (const auto* replaced = dynamic_cast<const ReplacementMechanism*>(base.get());
      replaced != nullptr && !replaced->grouped()) {
    ReplacementMechanism::Scheme scheme = replaced->scheme();
    scheme.size = size;
    return std::make_shared<ReplacementMechanism>("group", spec, std::move(scheme), true);
  }
  arguments.reject("mechanism", abbreviated(base->spec()));
}

}  // namespace

MechanismKind group_kind();
MechanismKind group_kind() {
  return {
      .name = "group",
      .summary = "privacy of groups of up to `size` records under the same sampling",
      .parameters = {{"mechanism",
                      "gaussian, or poisson, without_replacement or with_replacement of gaussian "
                      "(no pair is proven for groups of others)"},
                     {"size", "an integer from 1 to 1000"}},
      .adjacency = "that of the mechanism, for up to `size` records",
      .theorem =
          "the mixture of Gaussians with sensitivities k * sensitivity, k ~ Binomial(size, rate), "
          "of "
          "a fixed batch 2k * sensitivity, k ~ Hypergeometric(batch, population + size, size), "
          "dominates (Ganesh, arXiv 2401.10294, Theorems 3.1 and 3.3)",
      .theorems_elsewhere = {{Adjacency::replace,
                              "the curve of all places that hold records of the group has a pair, "
                              "which dominates (docs/proofs/sampling.md#replacement)"}},
      .example = "group(poisson(gaussian(sigma=2), rate=0.01), size=4)",
      .build = build_group,
  };
}

}  // namespace plaudit
