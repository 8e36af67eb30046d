// random_allocation(mechanism, steps, selected, ..): balls in bins. Each record takes part in one
// (or `selected`) of `steps` steps of an epoch, uniformly at random and independently of the others
// (Chua et al., AISTATS 2025, arXiv 2412.16802; Feldman, Shenfeld, NeurIPS 2025, arXiv 2502.08202).
// Proof: docs/proofs/random_allocation.md#domination
#include "mechanisms/allocation/allocation_loss.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/registry.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_of_allocation = 1'000'000'000;  ///< steps, and epochs

class RandomAllocation final : public Mechanism {
 public:
  RandomAllocation(std::string spec, const Rational& squared_rate,
                   const std::vector<AllocationBlocks>& blocks, std::string adjacency,
                   std::optional<Rational> noise_multiplier, Attainment attainment)
      : spec_(std::move(spec)),
        adjacency_(std::move(adjacency)),
        noise_multiplier_(std::move(noise_multiplier)),
        attainment_(std::move(attainment)) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      laws_[direction == Direction::add ? 1 : 0] =
          std::make_shared<AllocationLoss>(squared_rate, blocks, direction);
    }
  }

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction direction) const override {
    return laws_[direction == Direction::add ? 1 : 0];
  }
  bool symmetric() const override { return false; }
  Adjacency adjacency() const override { return Adjacency::of_one_record(adjacency_); }
  std::optional<Rational> noise_multiplier() const override { return noise_multiplier_; }
  Attainment attainment() const override { return attainment_; }

 private:
  std::string spec_;
  std::string adjacency_;
  std::optional<Rational> noise_multiplier_;
  Attainment attainment_;
  std::shared_ptr<const PrivacyLoss> laws_[2];
};

/// @param squared_rate (sensitivity / sigma)^2 of all epochs of one assignment together.
Attainment attainment_of(std::uint64_t steps, std::uint64_t selected,
                         const Rational& squared_rate) {
  if (selected == 1 || selected == steps) {
    return {Attained::yes, "one record beside others that add nothing has it"};
  }
  // The sum over all steps is N(k s, t sigma^2) against N(0, t sigma^2).
  // Proof: docs/proofs/attainment.md#sum-of-steps
  const Rational count = Rational(Integer(selected));
  return {Attained::unknown,
          "one step drawn from each of `selected` blocks has it, `selected` steps drawn from all "
          "are only bounded by it",
          gaussian_attack(squared_rate * count * count / Rational(Integer(steps)))};
}

MechanismPointer build_random_allocation(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const std::uint64_t steps = arguments.count("steps", most_of_allocation);
  const std::uint64_t selected = arguments.count("selected", steps);
  const std::uint64_t epochs = arguments.count("epochs_of_one_assignment", most_of_allocation);
  const std::string bound = arguments.word("bound", {"exact", "blocks"});
  const std::string adjacency =
      arguments.word("adjacency", {Adjacency::add_remove, Adjacency::zero_out});
  const auto& gaussian = plain_gaussian(arguments);
  if (selected > 1 && selected < steps && bound != "blocks") {
    arguments.reject("selected", std::to_string(selected) +
                                     ": the tight pair of k-out-of-t is not known; bound=blocks "
                                     "gives a pair that dominates it (its lower ends are those of "
                                     "one step drawn from each of k blocks)");
  }
  const Rational ratio = gaussian.sensitivity / gaussian.sigma;
  const Rational squared_rate = ratio * ratio * Rational(epochs);

  // Blocks as equal as they can be. Proof: docs/proofs/random_allocation.md#blocks
  std::vector<AllocationBlocks> blocks;
  const std::uint64_t longer = steps % selected;
  if (longer > 0) blocks.push_back({steps / selected + 1, longer});
  blocks.push_back({steps / selected, selected - longer});

  std::string spec = "random_allocation(" + base->spec() + ", steps=" + std::to_string(steps);
  if (selected != 1) spec += ", selected=" + std::to_string(selected);
  if (selected != 1 && selected != steps) spec += ", bound=blocks";
  if (epochs != 1) spec += ", epochs_of_one_assignment=" + std::to_string(epochs);
  if (adjacency != Adjacency::add_remove) spec += ", adjacency=" + adjacency;
  return std::make_shared<RandomAllocation>(
      spec + ')', squared_rate, blocks, adjacency,
      gaussian.by_noise_multiplier ? std::optional(gaussian.sigma) : std::nullopt,
      attainment_of(steps, selected, squared_rate));
}

}  // namespace

MechanismKind random_allocation_kind();
MechanismKind random_allocation_kind() {
  return {
      .name = "random_allocation",
      .summary = "the steps of an epoch, each record in one of them, drawn uniformly at random",
      .parameters = {{"mechanism", "gaussian (no pair is built for others): one step"},
                     {"steps", "an integer from 1 to 1000000000", {}, {"num_steps", "bins", "t"}},
                     {"selected", "an integer from 1 to `steps`", "1", {"num_selected", "k"}},
                     {"bound", "exact or blocks (one step from each of `selected` blocks)",
                      "exact"},
                     {"epochs_of_one_assignment", "an integer from 1 to 1000000000", "1"},
                     {"adjacency", "add_remove or zero_out", "add_remove"}},
      .adjacency = "add_remove or zero_out, which have the same pair; each direction on its own",
      .theorem =
          "the uniform mixture of N(e_i, sigma^2 I) against N(0, sigma^2 I) dominates, also where "
          "steps are adaptive (docs/proofs/random_allocation.md#domination; Chua et al., arXiv "
          "2412.16802, Theorem 1)",
      .example = "random_allocation(gaussian(sigma=2), steps=10)",
      .build = build_random_allocation,
  };
}

}  // namespace plaudit
