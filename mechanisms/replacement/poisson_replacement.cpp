#include "mechanisms/replacement/poisson_replacement.hpp"

#include "lib/mutant.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/replacement/mirrored_loss.hpp"

namespace plaudit {

// Proof: docs/proofs/poisson_adjacencies.md#replace, by docs/proofs/poisson_adjacencies.md#kahane
std::shared_ptr<const PrivacyLoss> poisson_replacement_loss(const Rational& sigma,
                                                            const Rational& sensitivity,
                                                            const Rational& rate) {
  if (rate == 1) return gaussian_mixture_loss({sigma, {sensitivity}, {1}}, Direction::remove);
  const Rational centre =
      PLAUDIT_BOUND("poisson.replaced", Rational(sensitivity / 2), Rational(sensitivity / 3));
  return std::make_shared<MirroredLoss>(
      normalised(GaussianMixture{sigma, {0, centre}, {1 - rate, rate}}));
}

}  // namespace plaudit
