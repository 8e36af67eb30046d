// shuffled(mechanism, steps, adjacency, order): one epoch of `steps` disjoint batches that are cut
// from records in a fixed order, or from shuffled ones and of equal size; a power is a number of
// epochs.
//
// Whichever batch the record is in, it moves one step of an epoch: the pair of one unsampled
// Gaussian dominates, and records in a fixed order have it. For those that are shuffled afresh in
// each epoch, true lower ends stand beside it. Proof: docs/proofs/epochs.md#domination
#include <cmath>

#include "lib/mutant.hpp"
#include "mechanisms/allocation/allocation_loss.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

/// P(one of `steps` outputs is above u), all of them N(0, 1) but for one N(moved, 1).
Ball largest_above(const Ball& u, std::uint64_t steps, const Ball& moved) {
  return -expm1(Ball(steps - 1) * log1p(-normal_cdf(-u)) + log1p(-normal_cdf(moved - u)));
}

/// Others contribute -s, the record +s, a blank one nothing: up to a shift its batch has 2s or s.
/// Proof: docs/proofs/epochs.md#largest
MechanismPointer largest_output_attack(const std::string& spec, const Rational& ratio,
                                       std::uint64_t steps) {
  // of all noises the largest is hardly ever below the first test
  const double least = std::sqrt(2 * std::log(static_cast<double>(steps))) - 3;
  return test_attack(
      "largest_output(" + spec + ')', least, 2 * estimate(ratio), [&](const Ball& u) -> EventRates {
        return {largest_above(u, steps, Ball(Rational(2 * ratio))),
                PLAUDIT_BOUND("shuffled.largest", largest_above(u, steps, Ball(ratio)),
                              largest_above(u, steps, Ball(0)))};
      });
}

/// Others contribute nothing (under replace what the other value does): the record is in one of the
/// steps, drawn uniformly. Proof: docs/proofs/epochs.md#blank
MechanismPointer allocation_attack(const std::string& gaussian, const Rational& ratio,
                                   std::uint64_t steps) {
  const auto law = [&](Direction direction) {
    return std::make_shared<AllocationLoss>(ratio * ratio,
                                            std::vector<AllocationBlocks>{{steps, 1}}, direction);
  };
  return std::make_shared<DirectedMechanism>(
      "random_allocation(" + gaussian + ", steps=" + std::to_string(steps) + ')',
      law(Direction::remove), law(Direction::add), Adjacency{},
      Attainment{Attained::yes, by_two_data_sets});
}

/// Which of the two attacks tells more over many epochs, by estimates of E (dP/dQ - 1)^2.
bool prefers_largest(const MechanismPointer& largest, const Rational& ratio, std::uint64_t steps) {
  if (!largest || ratio > 2) return largest != nullptr;  // so little noise: it has nearly all
  const double of_largest =
      std::expm1(largest->loss(Direction::remove)->estimate_cumulant(1).value);
  return of_largest > std::expm1(estimate(ratio) * estimate(ratio)) / static_cast<double>(steps);
}

// Proof: docs/proofs/attainment.md#epochs docs/proofs/random_allocation.md#refused
Attainment attainment_of(const std::string& spec, const std::string& gaussian,
                         const Rational& ratio, std::uint64_t steps, const std::string& order,
                         const std::string& adjacency) {
  if (order == "fixed" || steps == 1) {
    return {Attained::yes, "records in a fixed order have it: one batch of each epoch moves"};
  }
  Attainment result{Attained::unknown,
                    "records in a fixed order have it; what shuffling gains is not known, and no "
                    "more than the attack leaves"};
  if (order == "once") {
    result.why =
        "records in a fixed order have it; what one shuffle for all epochs gains is not "
        "known";
    return result;
  }
  result.others = {steps - 1, steps - 1};  // batches of one record
  result.attack = allocation_attack(gaussian, ratio, steps);
  if (adjacency == Adjacency::zero_out) {
    const MechanismPointer largest = largest_output_attack(spec, ratio, steps);
    if (prefers_largest(largest, ratio, steps)) result.attack = largest;
  }
  return result;
}

// Proof: docs/proofs/epochs.md#domination
MechanismPointer build_shuffled(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const std::uint64_t steps = arguments.count("steps", 1'000'000'000);
  const std::string adjacency =
      arguments.word("adjacency", {Adjacency::zero_out, Adjacency::replace, Adjacency::add_remove});
  const std::string order = arguments.word("order", {"each_epoch", "once", "fixed"});
  if (adjacency == Adjacency::add_remove) {
    throw SpecError(
        "shuffled: no pair is proven for add_remove, where the record that is added or removed "
        "moves others into other batches; proven are adjacency=zero_out (a record is replaced by a "
        "blank one) and replace; records that fall into batches by themselves are "
        "random_allocation(gaussian(sigma), steps)");
  }
  if (const auto multiplier = base->noise_multiplier();
      multiplier && adjacency == Adjacency::replace) {
    throw SpecError(two_readings("shuffled", *multiplier));
  }
  const auto& gaussian = plain_gaussian(arguments);
  const Rational ratio = gaussian.sensitivity / gaussian.sigma;
  std::string spec =
      "shuffled(" + base->spec() + ", steps=" + std::to_string(steps) + ", adjacency=" + adjacency;
  if (order != "each_epoch") spec += ", order=" + order;
  spec += ')';
  GaussianMixtureMechanism::Origin origin;
  origin.one_record = false;
  origin.adjacency = Adjacency::of_one_record(adjacency);
  origin.attainment = attainment_of(spec, base->spec(), ratio, steps, order, adjacency);
  const Rational moved = PLAUDIT_BOUND("shuffled.pair", gaussian.sensitivity,
                                       Rational(gaussian.sensitivity * Rational(9, 10)));
  return std::make_shared<GaussianMixtureMechanism>(
      std::move(spec), GaussianMixture{gaussian.sigma, {moved}, {1}}, std::move(origin));
}

}  // namespace

MechanismKind shuffled_kind();
MechanismKind shuffled_kind() {
  return {
      .name = "shuffled",
      .summary =
          "one epoch of disjoint batches, cut from records in a fixed order, or from shuffled ones "
          "and of equal size",
      .parameters = {{"mechanism", "gaussian (no pair is proven here for others): one step"},
                     {"steps", "an integer from 1 to 1000000000: of an epoch", {}, {"batches"}},
                     {"adjacency", "zero_out or replace (nothing is proven for add_remove)"},
                     {"order",
                      "each_epoch (shuffled afresh), once (one shuffle for all epochs) or fixed",
                      "each_epoch"}},
      .adjacency =
          "zero_out, replace: `sensitivity` of the gaussian is what blanking or replacing a record "
          "moves the sum over its batch by, of which under replace each record contributes at most "
          "half",
      .theorem =
          "whichever batch holds the record, one step of the epoch moves: the pair of one gaussian "
          "dominates (docs/proofs/epochs.md#domination)",
      .example = "shuffled(gaussian(sigma=2), steps=100, adjacency=zero_out)",
      .build = build_shuffled,
  };
}

}  // namespace plaudit
