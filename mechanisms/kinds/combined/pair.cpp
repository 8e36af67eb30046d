// pair(scheme, sigma, ...): the pairs of one-dimensional laws of Koskela, Jalko and Honkela
// (AISTATS 2020, arXiv 1906.03049), sections 6.1 to 6.3, exactly as printed. Each is the pair of
// one choice of data sets, which dominates the scheme for poisson alone (docs/mechanisms.md).
#include "mechanisms/forms/sampling_laws.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/replacement/mirrored_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

/// What is printed as f_X against f_Y ("remove"), and swapped ("add").
class Pair final : public Mechanism {
 public:
  Pair(std::string spec, const GaussianMixture& mixture, bool mirrored)
      : spec_(std::move(spec)), mixture_(normalised(mixture)), mirrored_(mirrored) {
    if (!mirrored) return;
    if (mixture_.sensitivities.size() > 1) {
      loss_ = std::make_shared<MirroredLoss>(mixture_);
    } else {  // N(c, sigma^2) against N(-c, sigma^2)
      loss_ = gaussian_mixture_loss({mixture_.sigma, {2 * mixture_.sensitivities[0]}, {1}},
                                    Direction::remove);
    }
  }

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction direction) const override {
    return mirrored_ ? loss_ : gaussian_mixture_loss(mixture_, direction);
  }
  bool symmetric() const override { return mirrored_ || mixture_.sensitivities.size() == 1; }
  /// The mirrored pairs are those of two data sets, and other data sets are worse.
  /// Proof: docs/proofs/mirrored.md#not-dominating
  Adjacency adjacency() const override {
    if (mirrored_) return {Adjacency::none, 1, false};
    return Adjacency::of_one_record(Adjacency::add_remove);
  }
  Attainment attainment() const override {
    return {Attained::yes, mirrored_ ? "it is the pair of two data sets"
                                     : "other records that add nothing have it"};
  }

 private:
  std::string spec_;
  GaussianMixture mixture_;
  bool mirrored_;
  std::shared_ptr<const PrivacyLoss> loss_;
};

MechanismPointer build_pair(const Arguments& arguments) {
  const std::string scheme =
      arguments.word("scheme", {"poisson", "without_replacement", "with_replacement"});
  const Rational sigma = arguments.positive("sigma");
  const bool by_rate = arguments.given("rate");
  const bool by_batch = arguments.given("batch") || arguments.given("population");
  std::string spec = "pair(" + scheme + ", sigma=" + to_string(sigma);
  if (scheme == "with_replacement") {
    if (by_rate) throw SpecError("pair: with_replacement takes batch and population, not a rate");
    const std::uint64_t batch = arguments.count("batch", 1000);
    const std::uint64_t population = arguments.count("population", 1'000'000'000'000);
    GaussianMixture mixture{
        sigma, {}, binomial_law("pair", batch, Rational(Integer(1), Integer(population)))};
    for (std::uint64_t k = 0; k <= batch; ++k) mixture.sensitivities.emplace_back(k);
    return std::make_shared<Pair>(spec + ", batch=" + std::to_string(batch) +
                                      ", population=" + std::to_string(population) + ')',
                                  mixture, true);
  }
  if (by_rate == by_batch) {
    throw SpecError("pair: " + scheme + " takes either a rate or both batch and population");
  }
  Rational rate = 0;
  if (by_rate) {
    rate = arguments.positive_probability("rate");
  } else {
    const std::uint64_t population = arguments.count("population", 1'000'000'000'000);
    rate = Rational(Integer(arguments.count("batch", population)), Integer(population));
  }
  return std::make_shared<Pair>(spec + ", rate=" + to_string(rate) + ')',
                                GaussianMixture{sigma, {0, 1}, {1 - rate, rate}},
                                scheme == "without_replacement");
}

}  // namespace

MechanismKind pair_kind();
MechanismKind pair_kind() {
  return {
      .name = "pair",
      .summary = "the two laws printed for a sampling scheme in arXiv 1906.03049, 6.1 to 6.3",
      .parameters =
          {{"scheme", "poisson, without_replacement or with_replacement"},
           {"sigma", "a number > 0"},
           {"rate", "a number in (0, 1]", "none", {}},
           {"batch", "an integer from 1 to population (with_replacement: to 1000)", "none", {}},
           {"population", "an integer from 1 to 10^12", "none", {}}},
      .adjacency =
          "poisson: add_remove; the others: none, no privacy guarantee: the pair of one choice of "
          "data sets",
      .theorem = "as poisson(gaussian(sigma), rate)",
      .theorems_elsewhere = {{Adjacency::none,
                              "none: the laws do not dominate under replace adjacency "
                              "(docs/proofs/mirrored.md#not-dominating)"}},
      .example = "pair(without_replacement, sigma=2, rate=0.01)",
      .build = build_pair,
  };
}

}  // namespace plaudit
