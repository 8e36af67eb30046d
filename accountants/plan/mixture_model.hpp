// One Gaussian mixture of a composition, in doubles: f / p_0 = 1 + sum e^{rate y + shift} and its
// logarithm, where plans for hyperbolas ask for them. Nothing here enters a bound.
#pragma once

#include <complex>
#include <vector>

#include "accountants/proof/kinds/hyperbola.hpp"

namespace plaudit {

/// At y = origin + v / rate the top component is e^v.
struct MixtureModel {
  explicit MixtureModel(const proof::MixtureLaw& law);

  std::vector<double> rates, shifts;
  double loss;  ///< -log p_0
  double count;
  double dominance;  ///< the y beyond which the top component exceeds all the others together

  double rate() const { return rates.back(); }
  /// f / p_0 - 1.
  double excess(double y) const;
  /// All other components together, in units of the top one.
  double remainder(double y) const;
  /// log(f / p_0).
  std::complex<double> log_ratio(std::complex<double> y) const;
};

}  // namespace plaudit
