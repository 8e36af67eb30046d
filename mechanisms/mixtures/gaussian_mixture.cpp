#include "mechanisms/mixtures/gaussian_mixture.hpp"

#include <cmath>
#include <map>
#include <stdexcept>

#include "lib/mutant.hpp"

namespace plaudit {

Ball GaussianMixture::rate(std::size_t i) const {
  Ball ratio(Rational(sensitivities[i] / sigma));
  if (radicand == 1 || ratio.is_exact_zero()) return ratio;
  return PLAUDIT_BOUND("mixture.root", ratio / sqrt(Ball(radicand)),
                       Ball((ratio / sqrt(Ball(radicand))).estimate()));
}

Rational GaussianMixture::squared_rate(std::size_t i) const {
  const Rational ratio = sensitivities[i] / sigma;
  return ratio * ratio / radicand;
}

Ball GaussianMixture::weight(std::size_t i) const {
  return Ball(probabilities[i]) * exp(Ball(Rational(-squared_rate(i) / 2)));
}

double GaussianMixture::estimated_rate(std::size_t i) const {
  return estimate(sensitivities[i] / sigma) / std::sqrt(estimate(radicand));
}

GaussianMixture normalised(GaussianMixture mixture) {
  if (mixture.sigma <= 0 || mixture.radicand <= 0)
    throw std::invalid_argument("sigma must be positive");
  if (mixture.sensitivities.size() != mixture.probabilities.size()) {
    throw std::invalid_argument("sensitivities and probabilities must have equal lengths");
  }
  std::map<Rational, Rational> merged;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    if (mixture.sensitivities[i] < 0) {
      throw std::invalid_argument("sensitivities must be nonnegative");
    }
    if (mixture.probabilities[i] < 0) {
      throw std::invalid_argument("probabilities must be nonnegative");
    }
    if (mixture.probabilities[i] > 0) merged[mixture.sensitivities[i]] += mixture.probabilities[i];
  }
  if (sum_of(mixture.probabilities) != 1)
    throw std::invalid_argument("probabilities must sum to exactly 1");
  if (merged.rbegin()->first == 0) {
    throw std::invalid_argument(
        "sensitivities must contain a positive one of positive probability");
  }
  mixture.sensitivities.clear();
  mixture.probabilities.clear();
  for (const auto& [sensitivity, probability] : merged) {
    mixture.sensitivities.push_back(sensitivity);
    mixture.probabilities.push_back(probability);
  }
  return mixture;
}

Ball mass_above(const GaussianMixture& mixture, const Ball& y, int sign) {
  Ball sum;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const Ball rate = mixture.rate(i);
    sum += Ball(mixture.probabilities[i]) * normal_cdf((sign < 0 ? -rate : rate) - y);
  }
  return sum;
}

}  // namespace plaudit
