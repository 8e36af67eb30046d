// averaged(gaussian(sigma, sensitivity=c), rate, population, adjacency): the mean over a Poisson
// sample of vectors of norm at most c (0 where the sample is empty), with noise N(0, sigma^2): the
// sum divided by the realised size, which is not released.
//
// add_remove: M ~ Binomial(population - 1, rate) of the other records are drawn, a public label;
// given M = m the record moves the mean by at most 2c/(m + 1), and by c where m = 0. replace: the
// size B ~ Binomial(population, rate) is the label, and given it the pair is that of a batch of
// fixed size, moved by 2c/B. Labels are joined into groups, each with the worst of its pairs.
// Proof: docs/proofs/averaged.md#labels
#include <algorithm>
#include <cmath>

#include "lib/balls/binomial.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/labelled_loss.hpp"
#include "mechanisms/replacement/batch_labels.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr long deviations_apart = 9;  ///< within which sizes are told apart: those below are one
                                      ///< group, those above are in the last one
constexpr long most_groups = 64;      ///< of those, about: more take longer, and lose less

/// Clipped vectors of norm c, noise of deviation sigma on their mean.
struct Averaged {
  Rational sigma;
  Rational c;
  Rational rate;
  std::uint64_t population;
  bool replaces;

  /// How far the record moves the mean at most among `others` further records of the sample.
  Rational distance(std::uint64_t others) const {
    return others == 0 ? c
                       : PLAUDIT_BOUND("averaged.distance", Rational(2 * c / Rational(others + 1)),
                                       Rational(c / Rational(others + 1)));
  }
};

/// A binomial number in groups [start, next start), the last one without an end, by exact numbers:
/// they are a part of what the pair is. Proof: docs/proofs/averaged.md#groups
class Sizes {
 public:
  Sizes(std::uint64_t trials, Rational rate)
      : trials_(trials), rate_(std::move(rate)), some_(binomial_labels(trials, rate_)) {
    const Rational mean = Integer(trials) * rate_;
    Integer deviations =
        floor_of(Rational(deviations_apart * deviations_apart * mean * (1 - rate_)));
    mpz_sqrt(deviations.data(), deviations.data());
    const Integer reach = deviations + (deviations_apart + 1);
    const Integer low = std::max(Integer(0), Integer(floor_of(mean) - reach));
    const Integer high = std::min(Integer(trials), Integer(reach - floor_of(Rational(-mean))));
    const Integer width =
        std::max(Integer(1), Integer((high - low + (most_groups - 1)) / most_groups));
    begins_beyond_ = low > 0;
    if (begins_beyond_) starts_.push_back(0);
    for (Integer start = low; start <= high; start += width) {
      starts_.push_back(start.to<std::uint64_t>());
    }
  }

  std::size_t count() const { return starts_.size(); }
  std::uint64_t least(std::size_t i) const { return starts_[i]; }
  std::uint64_t greatest(std::size_t i) const {
    return i + 1 < starts_.size() ? starts_[i + 1] - 1 : trials_;
  }
  std::string text(std::size_t i) const {
    return std::to_string(least(i)) + " to " + std::to_string(greatest(i)) + " of " +
           std::to_string(trials_) + " at rate " + to_string(rate_);
  }
  /// Its probability, at the working precision.
  Ball weight(std::size_t i) const {
    if (i + 1 == starts_.size()) return binomial_tail(trials_, rate_, starts_[i]);
    if (i == 0 && begins_beyond_) {
      return binomial_tail(trials_, Rational(1 - rate_), trials_ - starts_[1] + 1);
    }
    const std::uint64_t first = std::max<std::uint64_t>(starts_[i], 1);
    Ball sum;
    if (starts_[i + 1] > first) {
      for (const Ball& each : some_->weights(first - 1, starts_[i + 1] - first)) sum += each;
    }
    sum *= some_->rate();
    return starts_[i] == 0 ? sum + power(Ball(Rational(1 - rate_)), trials_) : sum;
  }

 private:
  std::uint64_t trials_;
  Rational rate_;
  std::shared_ptr<const BatchLabels> some_;  ///< those above 0
  std::vector<std::uint64_t> starts_;
  bool begins_beyond_ = false;  ///< the first group is all that lies below the reach
};

/// The worst pair of a group of sizes. Proof: docs/proofs/averaged.md#groups
std::shared_ptr<const PrivacyLoss> law_of_group(const Averaged& mean, std::uint64_t least,
                                                std::uint64_t greatest, Direction direction) {
  if (!mean.replaces) {
    return gaussian_mixture_loss(
        {mean.sigma, {0, mean.distance(least)}, {1 - mean.rate, mean.rate}}, direction);
  }
  const std::uint64_t others = std::max<std::uint64_t>(least, 1) - 1;
  const Rational moved = others == 0 ? Rational(2 * mean.c) : mean.distance(others);
  const Rational share = PLAUDIT_BOUND(
      "averaged.share",
      Rational(Rational(std::max<std::uint64_t>(greatest, 1)) / Rational(mean.population)),
      Rational(1, mean.population + 1));
  if (share == 1) return gaussian_mixture_loss({mean.sigma, {moved}, {1}}, direction);
  return std::make_shared<ReplacementLoss>(
      Replacement{mean.sigma, moved, share, {1}, {Integer(1)}, Integer(1)});
}

std::shared_ptr<const PrivacyLoss> averaged_law(const Averaged& mean, Direction direction) {
  const std::uint64_t trials = mean.replaces ? mean.population : mean.population - 1;
  if (trials == 0) return law_of_group(mean, 0, 0, direction);
  const auto sizes = std::make_shared<const Sizes>(trials, mean.rate);
  std::vector<LabelledLoss::Label> labels;
  for (std::size_t i = 0; i < sizes->count(); ++i) {
    // an empty sample tells nothing, so any pair is above it: that of the largest samples is taken,
    // which has no atom
    const bool empty = mean.replaces && sizes->greatest(i) == 0;
    const std::size_t as = empty ? sizes->count() - 1 : i;
    labels.push_back({[sizes, i] { return sizes->weight(i); }, sizes->text(i),
                      law_of_group(mean, sizes->least(as), sizes->greatest(as), direction)});
  }
  return std::make_shared<LabelledLoss>(std::move(labels));
}

/// All others are -c and the record is c; against it stands a data set without it, or one where it
/// is -c too. The tests are of the mean, above a threshold. Proof: docs/proofs/averaged.md#attack
MechanismPointer opposite_attack(const std::string& spec, const Averaged& mean) {
  const std::uint64_t others = mean.population - 1;
  if (others == 0) return nullptr;
  const Sizes sizes(others, mean.rate);
  std::vector<Ball> weights;
  for (std::size_t i = 0; i < sizes.count(); ++i) weights.push_back(sizes.weight(i));
  const Ball none = power(Ball(Rational(1 - mean.rate)), others);
  const Ball drawn(mean.rate);
  const Ball missed(Rational(1 - mean.rate));
  const auto above = [&](const Ball& u, const Rational& moved) {
    return normal_cdf(Ball(Rational(moved / mean.sigma)) - u);
  };
  const double average = static_cast<double>(others) * estimate(mean.rate);
  const double usual = std::max(0.0, average - 3 * std::sqrt(average)) + 1;
  return test_attack(
      "opposite_record(" + spec + ')', 0, 2 * estimate(mean.c) / estimate(mean.sigma) / usual,
      [&](const Ball& u) -> EventRates {
        Ball moved;  // given that the record is drawn, from below
        for (std::size_t k = 0; k < sizes.count(); ++k) {
          moved += weights[k] * above(u, 2 * mean.c / Rational(sizes.greatest(k) + 1));
        }
        const Ball still = none * above(u, mean.c) + (Ball(1) - none) * above(u, 0);
        return {missed * still + drawn * moved,
                mean.replaces ? missed * still + drawn * above(u, 0) : still};
      });
}

Averaged averaged_of(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const Rational rate = arguments.positive_probability("rate");
  if (rate == 1) arguments.reject("rate", shown(rate));
  if (base->noise_multiplier()) {
    throw SpecError(
        "averaged: noise_multiplier has two readings beside a mean; state the gaussian's sigma "
        "(of the noise on the mean) and sensitivity (the norm to which records are clipped)");
  }
  return {plain_gaussian(arguments).sigma, plain_gaussian(arguments).sensitivity, rate,
          arguments.count("population", 1'000'000'000),
          arguments.word("adjacency", {Adjacency::add_remove, Adjacency::replace}) ==
              Adjacency::replace};
}

// Proof: docs/proofs/averaged.md#labels
MechanismPointer build_averaged(const Arguments& arguments) {
  const Averaged mean = averaged_of(arguments);
  const char* adjacency = mean.replaces ? Adjacency::replace : Adjacency::add_remove;
  std::string spec = "averaged(" + arguments.mechanism("mechanism")->spec() +
                     ", rate=" + to_string(mean.rate) +
                     ", population=" + std::to_string(mean.population);
  if (mean.replaces) spec += std::string(", adjacency=") + adjacency;
  spec += ')';
  const std::uint64_t others = mean.population - 1;
  Attainment attainment{Attained::unknown,
                        "its label, how many records were drawn, is public, and no data sets are "
                        "known that have the pair of all labels",
                        opposite_attack(spec, mean),
                        {others, others}};
  const auto remove = averaged_law(mean, Direction::remove);
  return std::make_shared<DirectedMechanism>(
      std::move(spec), remove, mean.replaces ? remove : averaged_law(mean, Direction::add),
      Adjacency::of_one_record(adjacency), std::move(attainment));
}

}  // namespace

MechanismKind averaged_kind();
MechanismKind averaged_kind() {
  return {
      .name = "averaged",
      .summary =
          "the mean over a Poisson sample, divided by its realised size (which is not released), "
          "with noise",
      .parameters = {{"mechanism",
                      "gaussian: sigma of the noise on the mean, sensitivity the clipping norm"},
                     {"rate",
                      "a number in (0, 1)",
                      {},
                      {"sampling_probability", "sample_rate", "sampling_rate", "sampling_prob",
                       "q"}},
                     {"population", "an integer from 1 to 1000000000", {}, {"population_size"}},
                     {"adjacency", "add_remove or replace", "add_remove"}},
      .adjacency =
          "add_remove: `population` is the size of the larger data set at least; replace: that of "
          "each data set exactly; `sensitivity` of the gaussian bounds the norm of each record",
      .theorem =
          "how many other records are drawn is a public label, given which the record moves the "
          "mean by at most 2 sensitivity / (that number + 1) (docs/proofs/averaged.md#labels)",
      .example = "averaged(gaussian(sigma=0.2), rate=0.1, population=100)",
      .build = build_averaged,
  };
}

}  // namespace plaudit
