#include "verification/meaning/dominating_mu.hpp"

#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

// Proof: docs/proofs/gaussian_dp.md#domination
std::optional<Rational> dominating_mu_squared(const Composition& composition) {
  Rational sum = 0;
  const ComposedLoss loss(composition, Direction::remove);
  for (const ComposedLoss::Term& term : loss.terms()) {
    const LossFacts& facts = term.loss->facts();
    if (facts.gaussian_mean) {
      sum += 2 * *facts.gaussian_mean * Integer(term.count);  // the mean of L is mu^2 / 2
    } else if (const GaussianMixture* mixture = facts.gaussian_mixture) {
      const Rational rate = mixture->sensitivities.back() / mixture->sigma;
      if (mixture->sensitivities.front() < 0) return std::nullopt;
      sum += rate * rate * Integer(term.count);
    } else {
      return std::nullopt;
    }
    if (!term.loss->mass_at_infinity().is_exact_zero()) return std::nullopt;
  }
  return sum;
}

}  // namespace plaudit
