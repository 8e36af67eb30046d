#include "accountants/plan/threshold_plan.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr long spare_bits_of_root = 40;  ///< beyond half of the bits wanted of delta
constexpr double farthest_place = 1e15;  ///< beyond it there is no bracket

/// floor(x 2^places) + beside, over 2^places.
Rational rounded(const Ball& x, long places, int beside) {
  return exact_rational(ldexp(floor(ldexp(x, places)) + Ball(beside), -places).middle());
}

std::vector<Rational> rates_of(const GaussianMixture& mixture) {
  std::vector<Rational> rates;
  for (const Rational& sensitivity : mixture.sensitivities) {
    rates.emplace_back(sensitivity / mixture.sigma);
  }
  return rates;
}

/// The bracket's width enters the bound by its square, over the squares of the lengths on which the
/// density and the ratio change: half of the digits, and bits for these lengths, suffice.
template <class Law>
std::optional<proof::Bracket> bracket(const Law& law, const Ball& epsilon, long bits) {
  std::optional<Ball> place;
  {
    const PrecisionScope precision(bits / 2 + spare_bits_of_root);
    place = law.place(epsilon);
  }
  if (!place) place = law.place(epsilon);
  if (!place || !(std::fabs(place->estimate()) < farthest_place)) return std::nullopt;
  const GaussianMixture& mixture = law.mixture();
  const double greatest_rate = mixture.estimated_rate(mixture.sensitivities.size() - 1);
  const double units = std::log2(1 + std::fabs(place->estimate()) + greatest_rate);
  const long places = bits / 2 + precision_bits(units) + 2;
  return proof::Bracket{rounded(place->lower(), places, -1), rounded(place->upper(), places, 2)};
}

template <class Law>
proof::ThresholdChoices planned(const Law& law, const Ball& low, const Ball& high, long bits) {
  const auto first = bracket(law, low, bits);
  const bool same = (high.middle() - low.middle()).is_exact_zero();
  const auto last = same ? first : bracket(law, high, bits);
  if (!first || !last) return {};
  return {.bracket = proof::Bracket{first->below, last->above}};
}

}  // namespace

proof::Mixture plain_law(const MixtureLoss& law) {
  return {rates_of(law.mixture()), law.mixture().probabilities,
          law.direction() == Direction::remove, Rational(1 / law.mixture().radicand)};
}

proof::Mirrored plain_law(const MirroredLoss& law) {
  return {rates_of(law.mixture()), law.mixture().probabilities};
}

proof::ThresholdChoices plan_threshold(const MixtureLoss& law, const Ball& low, const Ball& high,
                                       long bits) {
  return planned(law, low, high, bits);
}

proof::ThresholdChoices plan_threshold(const MirroredLoss& law, const Ball& low, const Ball& high,
                                       long bits) {
  return planned(law, low, high, bits);
}

}  // namespace plaudit
