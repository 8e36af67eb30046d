#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"

#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "mechanisms/mixtures/mixture_loss.hpp"

namespace plaudit {

std::shared_ptr<const PrivacyLoss> gaussian_mixture_loss(const GaussianMixture& mixture,
                                                         Direction direction) {
  return loss_of_normalised(normalised(mixture), direction);
}

std::shared_ptr<const PrivacyLoss> loss_of_normalised(const GaussianMixture& mixture,
                                                      Direction direction) {
  if (mixture.sensitivities.size() == 1) return std::make_shared<GaussianLoss>(mixture);
  return std::make_shared<MixtureLoss>(mixture, direction);
}

}  // namespace plaudit
