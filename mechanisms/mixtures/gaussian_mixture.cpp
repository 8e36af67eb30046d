#include "mechanisms/mixtures/gaussian_mixture.hpp"

#include <map>
#include <stdexcept>

namespace plaudit {

GaussianMixture normalised(GaussianMixture mixture) {
  if (mixture.sigma <= 0) throw std::invalid_argument("sigma must be positive");
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
    const Ball rate(Rational(sign * mixture.sensitivities[i] / mixture.sigma));
    sum += Ball(mixture.probabilities[i]) * normal_cdf(rate - y);
  }
  return sum;
}

}  // namespace plaudit
