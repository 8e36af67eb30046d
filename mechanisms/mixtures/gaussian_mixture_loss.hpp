// From a Gaussian mixture pair to the law of its privacy loss.
#pragma once

#include <memory>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// The law of the privacy loss of the pair in the given direction (a single component is the plain
/// Gaussian, whose law is Gaussian and the same in both directions).
std::shared_ptr<const PrivacyLoss> gaussian_mixture_loss(const GaussianMixture& mixture,
                                                         Direction direction);
/// The same without the checks, for a mixture that normalised() returned.
std::shared_ptr<const PrivacyLoss> loss_of_normalised(const GaussianMixture& mixture,
                                                      Direction direction);

}  // namespace plaudit
