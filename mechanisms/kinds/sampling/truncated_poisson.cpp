// truncated_poisson(gaussian, rate, cap, population, adjacency, size): a Poisson sample of which at
// most `cap` records are kept, a uniformly random subset; noise N(0, sigma^2) on the sum of theirs.
//
// K of the other records are drawn. Where K < cap, a public event, the pair is that of the Poisson
// sample. Where K >= cap, a record that is kept pushes another one out, so the sum moves by up to
// twice as much (under replace by no more than before), and it is kept with probability at most
// `rate`; in data sets of exactly `population` records also at most cap / population.
// Proof: docs/proofs/poisson_adjacencies.md#capped docs/proofs/poisson_adjacencies.md#exact-size
#include "lib/balls/binomial.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/labelled_loss.hpp"
#include "mechanisms/replacement/poisson_replacement.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Law = std::shared_ptr<const PrivacyLoss>;

constexpr std::uint64_t greatest_cap = 1'000'000'000;
constexpr std::uint64_t greatest_population = 1'000'000'000'000;

/// sigma, what the record that differs moves the sum by, and the rate.
struct SampledNoise {
  Rational sigma;
  Rational sensitivity;
  Rational rate;
};

/// (1-q) N(0) + q N(s) against N(0), and swapped.
Law record_law(const SampledNoise& noise, const Rational& sensitivity, Direction direction) {
  return gaussian_mixture_loss({noise.sigma, {0, sensitivity}, {1 - noise.rate, noise.rate}},
                               direction);
}

/// A record that is replaced by one of up to `distance` from it. Proof:
/// docs/proofs/sampling.md#replacement
Law replacement_law(const SampledNoise& noise, const Rational& distance) {
  return std::make_shared<ReplacementLoss>(
      Replacement{noise.sigma, distance, noise.rate, {1}, {Integer(1)}, Integer(1)});
}

/// P(K >= cap), K the number drawn of `others` records.
struct Cap {
  std::uint64_t others;
  Rational rate;
  std::uint64_t cap;

  Law labelled(Law below, Law reached) const {
    const std::string text = std::to_string(cap) + " or more of " + std::to_string(others) +
                             " at rate " + to_string(rate);
    const auto tail = [self = *this] {
      return PLAUDIT_BOUND("truncated_poisson.reached",
                           binomial_tail(self.others, self.rate, self.cap), Ball(0));
    };
    return std::make_shared<LabelledLoss>(std::vector<LabelledLoss::Label>{
        {[tail] { return Ball(1) - tail(); }, "not " + text, std::move(below)},
        {tail, text, std::move(reached)}});
  }
};

constexpr const char* public_label =
    "its label is public, and no data sets are known that have the pair of both labels";

/// Data sets with fewer other records than the cap have the pair of the Poisson sample.
/// @param others at most, or exactly so many, beside the record; the cap is never reached where
/// `never`. Proof: docs/proofs/attainment.md#few-records
Attainment attainment_of(const SampledNoise& noise, const std::string& adjacency, const Cap& capped,
                         bool exact, bool never) {
  const OtherRecords others{exact ? capped.others : 0, capped.others};
  if (never) {
    return {Attained::yes, "the cap is never reached, and other records may add nothing", nullptr,
            others};
  }
  if (exact) return {Attained::unknown, public_label, nullptr, others};
  MechanismPointer attack = sampled_gaussian_attack(noise.sigma, noise.sensitivity, noise.rate);
  if (adjacency == Adjacency::replace) {
    attack = std::make_shared<SymmetricMechanism>(
        "poisson(gaussian(sigma=" + to_string(noise.sigma) +
            ", sensitivity=" + to_string(noise.sensitivity) + "), rate=" + to_string(noise.rate) +
            ", adjacency=replace)",
        poisson_replacement_loss(noise.sigma, noise.sensitivity, noise.rate),
        Attainment{Attained::yes, "two opposite records have it"}, false,
        Adjacency::of_one_record(Adjacency::replace));
  }
  return {Attained::unknown, public_label, std::move(attack), {0, capped.cap - 1}};
}

/// @throws SpecError where the mechanism is no gaussian as users state it, or the rate is 1.
SampledNoise noise_of(const Arguments& arguments, bool replaces) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const Rational rate = arguments.positive_probability("rate");
  if (rate == 1) arguments.reject("rate", shown(rate));
  if (const auto multiplier = base->noise_multiplier(); multiplier && replaces) {
    throw SpecError(two_readings("truncated_poisson", *multiplier));
  }
  return {plain_gaussian(arguments).sigma, plain_gaussian(arguments).sensitivity, rate};
}

// Proof: docs/proofs/poisson_adjacencies.md#capped docs/proofs/poisson_adjacencies.md#exact-size
MechanismPointer build_truncated_poisson(const Arguments& arguments) {
  const std::uint64_t cap = arguments.count("cap", greatest_cap);
  const std::uint64_t population = arguments.count("population", greatest_population);
  const std::string adjacency =
      arguments.word("adjacency", {Adjacency::add_remove, Adjacency::replace, Adjacency::zero_out});
  const bool replaces = adjacency == Adjacency::replace;
  const SampledNoise noise = noise_of(arguments, replaces);
  const bool exact = arguments.word("size", {"at_most", "exact"}) == "exact";
  if (exact && adjacency == Adjacency::add_remove) {
    throw SpecError(
        "truncated_poisson: size=exact is not for add_remove, of which the data sets differ in "
        "size");
  }
  std::string spec = "truncated_poisson(" + arguments.mechanism("mechanism")->spec() +
                     ", rate=" + to_string(noise.rate) + ", cap=" + std::to_string(cap) +
                     ", population=" + std::to_string(population);
  if (adjacency != Adjacency::add_remove) spec += ", adjacency=" + adjacency;
  if (exact) spec += ", size=exact";
  spec += ')';

  // Under add_remove `population` counts the records that both data sets have.
  const std::uint64_t others = adjacency == Adjacency::add_remove ? population : population - 1;
  const Cap capped{others, noise.rate, cap};
  const bool never = cap > others;
  SampledNoise kept = noise;  // where the cap is reached
  if (exact) {
    const Rational share(Rational(cap) / Rational(population));
    kept.rate = std::min(noise.rate, PLAUDIT_BOUND("truncated_poisson.exact_size", share,
                                                   Rational(share * Rational(999, 1000))));
  }
  const auto stated = Adjacency::of_one_record(adjacency);
  if (replaces) {
    Law law = poisson_replacement_loss(noise.sigma, noise.sensitivity, noise.rate);
    if (!never) law = capped.labelled(law, replacement_law(kept, noise.sensitivity));
    return std::make_shared<DirectedMechanism>(
        std::move(spec), law, law, stated, attainment_of(noise, adjacency, capped, exact, never));
  }
  const Rational twice = PLAUDIT_BOUND("truncated_poisson.pushed_out",
                                       Rational(2 * noise.sensitivity), noise.sensitivity);
  const auto law = [&](Direction direction) {
    Law below = record_law(noise, noise.sensitivity, direction);
    if (never) return below;
    return capped.labelled(below, adjacency == Adjacency::zero_out
                                      ? replacement_law(kept, twice)
                                      : record_law(noise, twice, direction));
  };
  return std::make_shared<DirectedMechanism>(std::move(spec), law(Direction::remove),
                                             law(Direction::add), stated,
                                             attainment_of(noise, adjacency, capped, exact, never));
}

}  // namespace

MechanismKind truncated_poisson_kind();
MechanismKind truncated_poisson_kind() {
  return {
      .name = "truncated_poisson",
      .summary = "the mechanism on a Poisson sample of which at most `cap` records are kept",
      .parameters =
          {{"mechanism", "gaussian (no pair is proven here for others)"},
           {"rate",
            "a number in (0, 1)",
            {},
            {"sampling_probability", "sample_rate", "sampling_rate", "sampling_prob", "q"}},
           {"cap", "an integer from 1 to 10^9", {}, {"truncated_batch_size"}},
           {"population", "an integer from 1 to 10^12", {}, {"population_size", "dataset_size"}},
           {"adjacency", "add_remove, replace or zero_out", "add_remove", {}},
           {"size", "at_most, or exact (not for add_remove)", "at_most", {}}},
      .adjacency =
          "add_remove: `population` is the size of the smaller data set at most; zero_out, "
          "replace: "
          "that of each data set at most, with `size=exact` exactly; `sensitivity` of the gaussian "
          "as for poisson",
      .theorem =
          "a public label says whether `cap` or more of the other records are drawn; if not, the "
          "pair is that of poisson, else that of a record which pushes another one out "
          "(docs/proofs/poisson_adjacencies.md#capped)",
      .example = "truncated_poisson(gaussian(sigma=1), rate=0.01, cap=130, population=10000)",
      .build = build_truncated_poisson,
  };
}

}  // namespace plaudit
