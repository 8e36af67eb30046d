// Gaussian mixtures for tests: from a spec, random ones, and their spec strings.
#pragma once

#include <string>

#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/spec.hpp"
#include "support/random.hpp"

namespace plaudit::test {

inline GaussianMixture mixture_of(const std::string& spec) {
  const Composition composition = parse_spec(spec);
  return dynamic_cast<const GaussianMixtureMechanism&>(*composition.factors()[0].mechanism)
      .mixture();
}

/// Text that the program reads.
inline std::string spec_of(const GaussianMixture& mixture) {
  std::string sensitivities;
  std::string probabilities;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    sensitivities += comma + to_string(mixture.sensitivities[i]);
    probabilities += comma + to_string(mixture.probabilities[i]);
  }
  return "mixture(sigma=" + to_string(mixture.sigma) + ", sensitivities=[" + sensitivities +
         "], probabilities=[" + probabilities + "])";
}

/// Subsampled Gaussians in half of the cases, else up to 5 components, some without one at 0.
inline GaussianMixture random_mixture(Random& random) {
  GaussianMixture mixture;
  mixture.sigma = Rational(random.integer(1, 8), 4) * (random.one_in(4) ? 4 : 1);
  if (random.one_in(2)) {
    const Rational rate = random.one_in(4) ? Rational(1, Integer("1000000000"))
                                           : Rational(random.integer(1, 99), 100);
    mixture.sensitivities = {0, 1};
    mixture.probabilities = {1 - rate, rate};
    return normalised(mixture);
  }
  const long components = random.integer(2, 5);
  Rational total = 0;
  for (long i = 0; i < components; ++i) {
    const long shift = random.one_in(3) ? 1 : 0;
    mixture.sensitivities.emplace_back(i + shift);
    mixture.sensitivities.back() /= random.one_in(2) ? 2 : 1;
    mixture.probabilities.emplace_back(random.integer(1, 20));
    total += mixture.probabilities.back();
  }
  for (Rational& p : mixture.probabilities) p /= total;
  mixture.sensitivities.back() += components;  // never all at 0
  return normalised(mixture);
}

/// One with a component at 0 and others.
inline GaussianMixture random_with_zero(Random& random) {
  for (;;) {
    GaussianMixture mixture = random_mixture(random);
    if (mixture.sensitivities.front() == 0 && mixture.sensitivities.size() >= 2) return mixture;
  }
}

}  // namespace plaudit::test
