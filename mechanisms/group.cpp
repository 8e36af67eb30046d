// group(mechanism, size): the guarantee for `size` records that are added or removed together.
//
// With Poisson sampling the number of them in the sample is Binomial(size, rate), and the sum moves
// by at most that many sensitivities: a mixture of Gaussians (Ganesh, arXiv 2401.10294).
#include "mechanisms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/registry.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Form = GaussianMixtureMechanism;

/// Bits of all Binomial(size, rate) probabilities together, about: what the exact pair costs.
constexpr double most_bits = 5e7;

void check_cost(const Form::SampledGaussian& base, std::uint64_t size) {
  const double bits = static_cast<double>(msb(denominator(base.rate))) + 1;
  const double records = static_cast<double>(size);
  if (base.rate != 1 && records * records * bits > most_bits) {
    throw SpecError("group: size^2 times the bits of the rate's denominator must be at most 5e7; " +
                    std::to_string(size) + " records are too many for a rate of " +
                    std::to_string(static_cast<long>(bits)) + " bits");
  }
}

/// Component k: k * sensitivity with probability C(size, k) rate^k (1-rate)^(size-k).
GaussianMixture binomial_mixture(const Form::SampledGaussian& base, std::uint64_t size) {
  GaussianMixture mixture{base.sigma, {}, {}};
  if (base.rate == 1) {
    mixture.sensitivities = {base.sensitivity * size};
    mixture.probabilities = {1};
    return mixture;
  }
  const Integer taken = numerator(base.rate);
  const Integer whole = denominator(base.rate);
  const Integer left = whole - taken;
  const Integer denominators = pow(whole, static_cast<unsigned>(size));
  // From one numerator to the next: times (size-k) taken, divided by (k+1) left, which is exact.
  Integer weight = pow(left, static_cast<unsigned>(size));
  for (std::uint64_t k = 0; k <= size; ++k) {
    mixture.sensitivities.push_back(base.sensitivity * k);
    mixture.probabilities.emplace_back(weight, denominators);
    weight = weight * (size - k) * taken / (left * (k + 1));
  }
  return mixture;
}

MechanismPointer build(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const std::uint64_t size = arguments.count("size", most_components - 1);
  const auto* form = dynamic_cast<const Form*>(base.get());
  if (form == nullptr || !form->origin().one_record || !form->origin().gaussian) {
    arguments.reject("mechanism", abbreviated(base->spec()));
  }
  check_cost(*form->origin().gaussian, size);
  return std::make_shared<Form>("group(" + base->spec() + ", size=" + std::to_string(size) + ')',
                                binomial_mixture(*form->origin().gaussian, size),
                                Form::Origin{false, std::nullopt});
}

}  // namespace

MechanismKind group_kind();
MechanismKind group_kind() {
  return {
      .name = "group",
      .summary = "privacy of groups of up to `size` records under the same sampling",
      .parameters = {{"mechanism",
                      "gaussian or poisson of gaussian (no pair is proven for groups of others)"},
                     {"size", "an integer from 1 to 1000"}},
      .adjacency = "add/remove of up to `size` records, each direction on its own",
      .theorem =
          "the mixture of Gaussians with sensitivities k * sensitivity, k ~ "
          "Binomial(size, rate), dominates (Ganesh, arXiv 2401.10294)",
      .build = build,
  };
}

}  // namespace plaudit
