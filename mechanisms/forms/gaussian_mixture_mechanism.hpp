// The class behind gaussian, mixture, poisson, group and fixed batches under add/remove: a spec and
// the exact pair it stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "mechanisms/language/arguments.hpp"
#include "mechanisms/mechanism.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

class GaussianMixtureMechanism final : public Mechanism {
 public:
  /// A Gaussian run on a Poisson sample of the records; rate 1 is the plain Gaussian.
  struct SampledGaussian {
    Rational sigma;
    Rational sensitivity;
    Rational rate;
    bool by_noise_multiplier = false;  ///< sigma was given as a multiple of a sensitivity
    /// Several releases, one after another, that have the pair of this one: not for theorems that
    /// speak of a single Gaussian.
    bool several = false;
  };

  /// A Gaussian run on batches of fixed size, drawn without replacement from at least `population`
  /// records; `sensitivity` bounds what one record contributes to the sum.
  struct FixedBatch {
    Rational sigma;
    Rational sensitivity;
    std::uint64_t batch;
    std::uint64_t population;
  };

  /// What operations on mechanisms need to know beyond the pair. The pair alone does not say how a
  /// record enters: the same mixture may come from sampling or from a group of records.
  struct Origin {
    bool one_record = true;  ///< the adjacency is one record, so it can be sampled
    std::optional<SampledGaussian> gaussian = {};  ///< where it is of that form
    std::optional<FixedBatch> fixed_batch = {};    ///< where it is of that form
    std::optional<Group> group = {};               ///< where it is for a group
    Adjacency adjacency = {};
    Attainment attainment = {};
    std::string stated = {};  ///< text with the vectors; empty where it is the canonical one
  };

  GaussianMixtureMechanism(std::string spec, GaussianMixture mixture, Origin origin)
      : spec_(std::move(spec)),
        mixture_(normalised(std::move(mixture))),
        origin_(std::move(origin)) {}

  std::string spec() const override { return spec_; }
  std::string stated() const override { return origin_.stated.empty() ? spec_ : origin_.stated; }
  std::shared_ptr<const PrivacyLoss> loss(Direction direction) const override {
    return loss_of_normalised(mixture_, direction);
  }
  /// One component is a plain Gaussian, whose loss has the same law in both directions.
  bool symmetric() const override { return mixture_.sensitivities.size() == 1; }

  Adjacency adjacency() const override { return origin_.adjacency; }
  Attainment attainment() const override { return origin_.attainment; }
  std::optional<Rational> noise_multiplier() const override {
    if (origin_.group) return origin_.group->of_one->noise_multiplier();
    if (!origin_.gaussian || !origin_.gaussian->by_noise_multiplier) return std::nullopt;
    return origin_.gaussian->sigma;
  }
  std::optional<Group> group() const override { return origin_.group; }
  bool one_record() const override { return origin_.one_record; }

  const GaussianMixture& mixture() const { return mixture_; }
  const Origin& origin() const { return origin_; }

 private:
  std::string spec_;
  GaussianMixture mixture_;
  Origin origin_;
};

/// The argument `mechanism` as a gaussian(...) that users state: one release, no sample, no group.
/// @throws SpecError where it is something else.
inline const GaussianMixtureMechanism::SampledGaussian& plain_gaussian(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const auto* form = dynamic_cast<const GaussianMixtureMechanism*>(base.get());
  if (form == nullptr || !form->origin().gaussian || form->origin().gaussian->rate != 1 ||
      form->origin().gaussian->several || base->adjacency() != Adjacency{}) {
    arguments.reject("mechanism", abbreviated(base->spec()));
  }
  return *form->origin().gaussian;
}

/// The most components a mixture may have; a group may have one record less.
inline constexpr std::size_t most_components = 1001;

}  // namespace plaudit
