// Whether a composition is of one Gaussian mixture, as the accountant largest_draw needs it.
#pragma once

#include "mechanisms/composition.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

/// Steps of one Gaussian mixture that is no Gaussian, "remove", without a mass at infinity and
/// without draws left out.
inline bool is_one_mixture(const ComposedLoss& loss) {
  if (loss.terms().size() != 1 || loss.direction() != Direction::remove) return false;
  const PrivacyLoss& law = *loss.terms()[0].loss;
  const GaussianMixture* mixture = law.facts().gaussian_mixture;
  return mixture != nullptr && mixture->sensitivities.size() > 1 && !law.facts().gaussian_mean &&
         !law.facts().cut && law.mass_at_infinity().is_exact_zero();
}

}  // namespace plaudit
