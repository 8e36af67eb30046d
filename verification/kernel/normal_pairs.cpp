#include "verification/kernel/normal_pairs.hpp"

#include <stdexcept>

#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit::kernel {

namespace {

/// The most that a centre may be of the unit, so that it is a machine integer and a grid finds
/// room.
constexpr long greatest_centre = 1'000'000;

std::vector<Component> components(const GaussianMixture& mixture, const Rational& unit, int sign,
                                  const std::string& spec) {
  std::vector<Component> result;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const Rational centre = mixture.sensitivities[i] / unit;
    if (centre > greatest_centre) {
      throw std::invalid_argument("prove: the centres of " + spec +
                                  " have no common grid that is coarse enough");
    }
    result.push_back({sign * numerator(centre).to<long>(), mixture.probabilities[i]});
  }
  return result;
}

}  // namespace

std::vector<CountedPair> normal_pairs(const Composition& composition, Direction direction) {
  std::vector<CountedPair> result;
  const ComposedLoss loss(composition, direction);
  for (const ComposedLoss::Term& term : loss.terms()) {
    const LossFacts& facts = term.loss->facts();
    const std::string spec = term.mechanism ? term.mechanism->spec() : term.loss->describe();
    const bool mirrored = facts.mirrored_mixture != nullptr;
    const GaussianMixture* mixture = mirrored ? facts.mirrored_mixture : facts.gaussian_mixture;
    if (mixture == nullptr || facts.cut) {
      throw std::invalid_argument(
          "prove covers Gaussian noise, its Poisson samples, mixtures of Gaussians and groups, "
          "and products of their powers; it does not cover " +
          spec);
    }
    Rational unit = 0;
    for (const Rational& centre : mixture->sensitivities) unit = common_divisor(unit, centre);
    CountedPair one{{mixture->sigma / unit, {}, {}}, unit, term.count, spec};
    const std::vector<Component> middle{{0, 1}};
    // A single component has the same law in both directions.
    const bool remove = direction == Direction::remove || mixture->sensitivities.size() == 1;
    one.pair.p = remove || mirrored ? components(*mixture, unit, 1, spec) : middle;
    one.pair.q = !remove || mirrored ? components(*mixture, unit, -1, spec) : middle;
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace plaudit::kernel
