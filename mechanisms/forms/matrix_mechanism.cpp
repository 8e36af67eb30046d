#include "mechanisms/forms/matrix_mechanism.hpp"

#include "lib/work/work_limit.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr double most_participation_work = 3e7;
constexpr std::uint64_t most_steps_of_stream = 1'000'000;

/// A stream that a record moves by the sensitivity, always in one direction, at every
/// `min_separation`-th step from the first one on: what is released moves by the root of the sum of
/// these entries of the Gram matrix. Proof: docs/proofs/attainment.md#streams
Rational reached_square(const Participation& who, const Gram& gram) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < who.steps && places.size() < who.most; i += who.separation) {
    places.push_back(i);
  }
  std::vector<Rational> entries;
  for (const std::size_t i : places) {
    for (const std::size_t j : places) {
      if ((i > j ? i - j : j - i) < gram.reach) entries.push_back(gram.entry(i, j));
    }
    check_work_limit();
  }
  return sum_of(entries);
}

/// @param square of the greatest sensitivity, or above it. @param ratio (sensitivity / sigma)^2.
Attainment attainment_of(const Participation& who, const Gram& gram, const Rational& square,
                         const Rational& ratio) {
  if (who.most == 1 || gram.reach <= who.separation) {
    return {Attained::yes, "a stream that one record moves in its worst steps has it"};
  }
  const Rational reached = reached_square(who, gram);
  if (reached == square) {
    return {Attained::yes, "a stream that one record moves in one direction has it"};
  }
  return {Attained::unknown,
          "the greatest distance of two streams is only bounded, for the steps of one record meet "
          "in one row of the encoder",
          reached > 0 ? gaussian_attack(reached * ratio) : nullptr};
}

}  // namespace

std::vector<Parameter> matrix_parameters(std::vector<Parameter> first) {
  first.push_back({"sigma", "a number > 0", {}, {"std", "standard_deviation", "variance"}});
  first.push_back({"sensitivity", "a number > 0: what a record moves one step by", "1", {}});
  first.push_back({"participations", "an integer from 1 to 10^6", "1", {"k"}});
  first.push_back({"min_separation", "an integer from 1 to 10^6", "1", {"b"}});
  return first;
}

// Proof: docs/proofs/matrix.md#adaptive
MechanismPointer matrix_mechanism(const char* mechanism, std::string spec, std::size_t steps,
                                  const Gram& gram, const Arguments& arguments) {
  const NoiseLevel noise = arguments.noise_level();
  const Rational sensitivity = arguments.positive("sensitivity");
  const std::uint64_t participations = arguments.count("participations", most_steps_of_stream);
  const std::uint64_t separation = arguments.count("min_separation", most_steps_of_stream);
  const Participation who{steps, participations, separation};
  if (participation_work(who, gram.reach) > most_participation_work) {
    throw SpecError(std::string(mechanism) +
                    ": too many steps and participations: steps^2 participations (steps "
                    "participations where columns min_separation apart share no row) must be at "
                    "most 3*10^7");
  }
  const Rational square = greatest_square_sensitivity(who, gram);
  if (square == 0) throw SpecError(std::string(mechanism) + ": encoder must not be 0");
  spec += ", " + noise.text();
  if (sensitivity != 1) spec += ", sensitivity=" + to_string(sensitivity);
  if (participations != 1) spec += ", participations=" + std::to_string(participations);
  if (separation != 1) spec += ", min_separation=" + std::to_string(separation);
  const Rational ratio = sensitivity * sensitivity / noise.variance;
  return std::make_shared<SymmetricMechanism>(
      spec + ')', std::make_shared<GaussianLoss>(Rational(square * ratio / 2)),
      attainment_of(who, gram, square, ratio), false);
}

}  // namespace plaudit
