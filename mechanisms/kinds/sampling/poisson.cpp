// poisson(mechanism, rate, adjacency): the mechanism on a Poisson sample of the records.
//
// If (P, Q) dominates for removal, ((1-rate) Q + rate P, Q) does after sampling; if (P, Q)
// dominates for addition, (P, (1-rate) P + rate Q) does. For a mixture of Gaussians that is the
// mixture with all probabilities times the rate and an atom of weight 1 - rate at sensitivity 0.
// Proof: docs/proofs/discrete.md#sampled
//
// A blank record adds nothing to what the mechanism releases, so zeroing a record out is leaving it
// out. Proof: docs/proofs/poisson_adjacencies.md#zero-out
// A Gaussian whose record is replaced has the pair of the mixture and its own mirror image.
// Proof: docs/proofs/poisson_adjacencies.md#replace
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/replacement/poisson_replacement.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

std::string sampled_spec(const std::string& base, const Rational& rate,
                         const std::string& adjacency) {
  std::string spec = "poisson(" + base + ", rate=" + to_string(rate);
  if (adjacency != Adjacency::add_remove) spec += ", adjacency=" + adjacency;
  return spec + ')';
}

/// Makes the reason of a mechanism that attains its pair one for its sample.
void put_beside_others(Attainment& attainment) {
  static const std::string beside = "beside records that add nothing, ";
  if (attainment.attained != Attained::yes || attainment.why.rfind(beside, 0) == 0) return;
  attainment.why = beside + attainment.why;
}

/// Adjacency::reading: a sensitivity or an epsilon that the user states is taken to hold for one
/// record more or less, although it may have been meant for a replaced record.
std::string reading_of(const Mechanism& base, const std::string& adjacency) {
  if (base.adjacency().kind != Adjacency::as_stated) return base.adjacency().reading;
  const std::string spec = base.spec();
  const bool plain = spec.rfind("gaussian(", 0) == 0;  // in its own words, whatever its sigma
  if (plain || base.adjacency().kind != Adjacency::as_stated) return "";
  return "what is stated of " + spec.substr(0, spec.find('(')) + " is read as for one record " +
         (adjacency == Adjacency::zero_out ? "blanked" : "added or removed");
}

/// The sample of a mechanism by PrivacyLoss::sampled(); of a sample at the product of the rates.
class Sampled final : public Mechanism {
 public:
  Sampled(std::string spec, MechanismPointer base, Rational rate, std::string adjacency)
      : spec_(std::move(spec)),
        base_(std::move(base)),
        rate_(std::move(rate)),
        adjacency_(Adjacency::of_one_record(std::move(adjacency))) {
    adjacency_.reading = reading_of(*base_, adjacency_.kind);
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
  Adjacency adjacency() const override { return adjacency_; }
  Attainment attainment() const override;
  bool one_record() const override { return adjacency_.kind == Adjacency::add_remove; }

  const MechanismPointer& base() const { return base_; }
  const Rational& rate() const { return rate_; }
  bool exists() const { return laws_[0] && laws_[1]; }

 private:
  std::string spec_;
  MechanismPointer base_;
  Rational rate_;
  Adjacency adjacency_;
  std::shared_ptr<const PrivacyLoss> laws_[2];
};

/// Beside records that add nothing the sample of the mechanism has the sample of its pair; and each
/// delta of that pair is one of the mechanism itself, at another epsilon.
/// Proof: docs/proofs/attainment.md#samples
Attainment Sampled::attainment() const {
  Attainment result = base_->attainment();
  put_beside_others(result);
  if (result.attack) {
    const auto attack =
        std::make_shared<Sampled>(sampled_spec(result.attack->spec(), rate_, adjacency_.kind),
                                  result.attack, rate_, adjacency_.kind);
    result.attack = attack->exists() ? attack : MechanismPointer();
  }
  return result;
}

MechanismPointer sampled_gaussians(const GaussianMixtureMechanism& base, const Rational& rate,
                                   const std::string& adjacency) {
  GaussianMixture mixture = base.mixture();
  for (Rational& probability : mixture.probabilities) probability *= rate;
  mixture.sensitivities.emplace_back(0);
  mixture.probabilities.push_back(1 - rate);
  GaussianMixtureMechanism::Origin origin = base.origin();
  if (origin.gaussian) origin.gaussian->rate *= rate;
  origin.one_record = adjacency == Adjacency::add_remove;
  origin.adjacency = Adjacency::of_one_record(adjacency);
  // What the sensitivity of one gaussian is for is in its own words; joint ones get a reading.
  if (origin.gaussian && origin.gaussian->several) {
    origin.adjacency.reading = reading_of(base, adjacency);
  }
  put_beside_others(origin.attainment);
  if (!origin.stated.empty()) origin.stated = sampled_spec(origin.stated, rate, adjacency);
  if (const auto* attack =
          dynamic_cast<const GaussianMixtureMechanism*>(origin.attainment.attack.get())) {
    origin.attainment.attack = sampled_gaussians(*attack, rate, adjacency);
  }
  return std::make_shared<GaussianMixtureMechanism>(sampled_spec(base.spec(), rate, adjacency),
                                                    std::move(mixture), std::move(origin));
}

[[noreturn]] void refuse_sample(const MechanismPointer& base, const std::string& why) {
  throw SpecError("poisson: " + abbreviated(base->spec()) + " " + why);
}

/// @throws SpecError for all but gaussian(...): the proof compares Gaussians.
MechanismPointer sampled_replacement(std::string spec, const MechanismPointer& base,
                                     const Rational& rate) {
  const auto* form = dynamic_cast<const GaussianMixtureMechanism*>(base.get());
  if (form == nullptr || !form->origin().gaussian || form->origin().gaussian->rate != 1 ||
      form->origin().gaussian->several || base->adjacency() != Adjacency{}) {
    refuse_sample(base,
                  "has no proven pair for a Poisson sample under replace adjacency: only gaussian "
                  "has one");
  }
  if (const auto multiplier = base->noise_multiplier()) {
    throw SpecError(two_readings("poisson", *multiplier));
  }
  const auto& gaussian = *form->origin().gaussian;
  return std::make_shared<SymmetricMechanism>(
      std::move(spec), poisson_replacement_loss(gaussian.sigma, gaussian.sensitivity, rate),
      Attainment{Attained::yes, "two opposite records beside others that add nothing have it"},
      false, Adjacency::of_one_record(Adjacency::replace));
}

MechanismPointer build_poisson(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const Rational rate = arguments.positive_probability("rate");
  const std::string adjacency =
      arguments.word("adjacency", {Adjacency::add_remove, Adjacency::replace, Adjacency::zero_out});
  if (adjacency == Adjacency::replace) {
    return sampled_replacement(sampled_spec(base->spec(), rate, adjacency), base, rate);
  }
  if (!base->one_record()) arguments.reject("mechanism", abbreviated(base->spec()));
  if (const auto* form = dynamic_cast<const GaussianMixtureMechanism*>(base.get())) {
    return sampled_gaussians(*form, rate, adjacency);
  }
  std::string spec = sampled_spec(base->spec(), rate, adjacency);
  const auto* inner = dynamic_cast<const Sampled*>(base.get());
  const auto result = inner == nullptr
                          ? std::make_shared<Sampled>(std::move(spec), base, rate, adjacency)
                          : std::make_shared<Sampled>(std::move(spec), inner->base(),
                                                      rate * inner->rate(), adjacency);
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
                       "q"}},
                     {"adjacency", "add_remove, replace or zero_out", "add_remove", {}}},
      .adjacency =
          "add_remove, each direction on its own; zero_out: the same pairs, where a blank record "
          "adds nothing to what is released; replace: of gaussian only, `sensitivity` is what "
          "replacing a record moves the sum by, of which each record contributes at most half",
      .theorem =
          "((1-rate) Q + rate P, Q) dominates the sampled mechanism where (P, Q) dominates "
          "the mechanism (Zhu, Dong and Wang, AISTATS 2022, arXiv 2106.08567, Theorem 11)",
      .theorems_elsewhere = {{Adjacency::zero_out,
                              "the pair of add_remove, as a blank record adds nothing to what is "
                              "released (docs/proofs/poisson_adjacencies.md#zero-out)"},
                             {Adjacency::replace,
                              "(1-rate) N(0) + rate N(sensitivity/2) against its mirror image, by "
                              "Kahane's inequality "
                              "(docs/proofs/poisson_adjacencies.md#replace)"}},
      .example = "poisson(gaussian(sigma=0.8), rate=0.004)",
      .build = build_poisson,
  };
}

}  // namespace plaudit
