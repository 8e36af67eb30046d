// A mixture of Gaussians without its rare great sensitivities: what that changes has a bound, and
// the mixture that is left is narrow enough for wide steps of integration. Proof:
// docs/proofs/rare_components.md#claim
#pragma once

#include <cstddef>
#include <optional>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

struct FrequentMixture {
  GaussianMixture mixture;  ///< the least sensitivities, `keeper` with `moved` more than it had
  std::size_t keeper = 0;   ///< index of the component j of the proof page
  Rational moved;           ///< probability of the components left out
  Rational first_dropped;   ///< the least sensitivity left out
};

/// Leaves out the greatest sensitivities, of probability at most about e^log_mass together; nothing
/// where too few of them are that rare.
std::optional<FrequentMixture> without_rare_components(const GaussianMixture& mixture,
                                                       double log_mass);

/// rho on the proof page: what the components left out, and those added, contribute to the moment
/// of any order t >= 0 of the "add" direction, relative to it.
class RareShare {
 public:
  explicit RareShare(const FrequentMixture& frequent);
  /// Upper bound of rho.
  const Ball& bound() const { return bound_; }
  /// Upper bound of log c, c = 1 + moved / (what the keeper had).
  const Ball& log_growth() const { return log_growth_; }

 private:
  Ball bound_;
  Ball log_growth_;
};

}  // namespace plaudit
