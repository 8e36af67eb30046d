// poisson(mechanism, rate): the mechanism on a Poisson sample of the records.
//
// If (P, Q) dominates for removal, ((1-q) Q + q P, Q) does after sampling at rate q; the pair for
// addition is the swapped one. For a mixture of Gaussians that is the mixture with all
// probabilities times q and an atom of weight 1-q at sensitivity 0.
#include "mechanisms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/registry.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

MechanismPointer build(const Arguments& arguments) {
  using Form = GaussianMixtureMechanism;
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const Rational rate = arguments.positive_probability("rate");
  const auto* form = dynamic_cast<const Form*>(base.get());
  if (form == nullptr || !form->origin().one_record) {
    arguments.reject("mechanism", abbreviated(base->spec()));
  }

  GaussianMixture mixture = form->mixture();
  for (Rational& probability : mixture.probabilities) probability *= rate;
  mixture.sensitivities.push_back(0);
  mixture.probabilities.push_back(1 - rate);

  Form::Origin origin = form->origin();
  if (origin.gaussian) origin.gaussian->rate *= rate;
  return std::make_shared<Form>("poisson(" + base->spec() + ", rate=" + to_string(rate) + ')',
                                std::move(mixture), std::move(origin));
}

}  // namespace

MechanismKind poisson_kind();
MechanismKind poisson_kind() {
  return {
      .name = "poisson",
      .summary = "the mechanism on a sample that takes each record with probability `rate`",
      .parameters = {{"mechanism", "gaussian, mixture or poisson of these"},
                     {"rate", "a number in (0, 1]", {}, {"sampling_probability", "sample_rate"}}},
      .adjacency = "add/remove, each direction on its own",
      .theorem =
          "((1-rate) Q + rate P, Q) dominates the sampled mechanism where (P, Q) dominates "
          "the mechanism (Zhu, Dong and Wang, AISTATS 2022, arXiv 2106.08567)",
      .build = build,
  };
}

}  // namespace plaudit
