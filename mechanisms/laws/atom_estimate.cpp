#include "mechanisms/laws/atom_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "lib/constants.hpp"

namespace plaudit {

void AtomEstimate::add(double loss, double log_mass) {
  losses_.push_back(loss);
  log_masses_.push_back(log_mass);
}

CumulantEstimate AtomEstimate::cumulant(double t) const {
  double top = -infinity;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    top = std::max(top, log_masses_[i] + t * losses_[i]);
  }
  std::vector<double> weights(losses_.size());
  double zero = 0;
  double one = 0;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    weights[i] = std::exp(log_masses_[i] + t * losses_[i] - top);
    zero += weights[i];
    one += weights[i] * losses_[i];
  }
  const double mean = one / zero;
  double two = 0;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    two += weights[i] * (losses_[i] - mean) * (losses_[i] - mean);
  }
  return {top + std::log(zero), mean, two / zero};
}

}  // namespace plaudit
