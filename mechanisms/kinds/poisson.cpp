// poisson(mechanism, rate): the mechanism on a Poisson sample of the records.
//
// If (P, Q) dominates for removal, ((1-rate) Q + rate P, Q) does after sampling; if (P, Q)
// dominates for addition, (P, (1-rate) P + rate Q) does. For a mixture of Gaussians that is the
// mixture with all probabilities times the rate and an atom of weight 1 - rate at sensitivity 0.
// Proof: docs/proofs/discrete.md#sampled
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/spec_error.hpp"
#include "mechanisms/registry.hpp"

namespace plaudit {

namespace {

/// Any mechanism whose laws know their samples; a sample of a sample is one at the product rate.
class Sampled final : public Mechanism {
 public:
  Sampled(std::string spec, MechanismPointer base, Rational rate)
      : spec_(std::move(spec)), base_(std::move(base)), rate_(std::move(rate)) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      std::shared_ptr<const PrivacyLoss>& law = laws_[direction == Direction::add ? 1 : 0];
      law = base_->loss(direction);
      if (rate_ != 1) law = law->sampled(rate_, direction);
    }
  }

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction direction) const override {
    return laws_[direction == Direction::add ? 1 : 0];
  }
  bool symmetric() const override { return rate_ == 1 && base_->symmetric(); }
  Adjacency adjacency() const override { return Adjacency::of_one_record(Adjacency::add_remove); }
  bool one_record() const override { return true; }

  const MechanismPointer& base() const { return base_; }
  const Rational& rate() const { return rate_; }
  bool exists() const { return laws_[0] && laws_[1]; }

 private:
  std::string spec_;
  MechanismPointer base_;
  Rational rate_;
  std::shared_ptr<const PrivacyLoss> laws_[2];
};

MechanismPointer sampled_gaussians(std::string spec, const GaussianMixtureMechanism& base,
                                   const Rational& rate) {
  GaussianMixture mixture = base.mixture();
  for (Rational& probability : mixture.probabilities) probability *= rate;
  mixture.sensitivities.push_back(0);
  mixture.probabilities.push_back(1 - rate);
  GaussianMixtureMechanism::Origin origin = base.origin();
  if (origin.gaussian) origin.gaussian->rate *= rate;
  origin.adjacency = Adjacency::of_one_record(Adjacency::add_remove);
  return std::make_shared<GaussianMixtureMechanism>(std::move(spec), std::move(mixture),
                                                    std::move(origin));
}

MechanismPointer build_poisson(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const Rational rate = arguments.positive_probability("rate");
  if (!base->one_record()) arguments.reject("mechanism", abbreviated(base->spec()));
  std::string spec = "poisson(" + base->spec() + ", rate=" + to_string(rate) + ')';
  if (const auto* form = dynamic_cast<const GaussianMixtureMechanism*>(base.get())) {
    return sampled_gaussians(std::move(spec), *form, rate);
  }
  const auto* inner = dynamic_cast<const Sampled*>(base.get());
  const auto result = inner == nullptr ? std::make_shared<Sampled>(std::move(spec), base, rate)
                                       : std::make_shared<Sampled>(std::move(spec), inner->base(),
                                                                   rate * inner->rate());
  if (!result->exists()) arguments.reject("mechanism", abbreviated(base->spec()));
  return result;
}

}  // namespace

MechanismKind poisson_kind();
MechanismKind poisson_kind() {
  return {
      .name = "poisson",
      .summary = "the mechanism on a sample that takes each record with probability `rate`",
      .parameters = {{"mechanism",
                      "gaussian, mixture or another whose pair is for one record added or removed"},
                     {"rate",
                      "a number in (0, 1]",
                      {},
                      {"sampling_probability", "sample_rate", "sampling_rate", "sampling_prob",
                       "q"}}},
      .adjacency = "add_remove, each direction on its own",
      .theorem =
          "((1-rate) Q + rate P, Q) dominates the sampled mechanism where (P, Q) dominates "
          "the mechanism (Zhu, Dong and Wang, AISTATS 2022, arXiv 2106.08567, Theorem 11)",
      .example = "poisson(gaussian(sigma=0.8), rate=0.004)",
      .build = build_poisson,
  };
}

}  // namespace plaudit
