// f of a Gaussian mixture pair at several precisions, each made once: a mixture may be large.
#pragma once

#include <memory>

#include "mechanisms/mixtures/likelihood_ratio.hpp"

namespace plaudit {

class KeptRatios {
 public:
  explicit KeptRatios(const GaussianMixture& mixture);
  /// f with coefficients of at least the working precision.
  std::shared_ptr<const LikelihoodRatio> get() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace plaudit
