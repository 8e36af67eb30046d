// Gaussian mechanisms that dominate a run, sampling left aside.
// Proof: docs/proofs/gaussian_dp.md#domination
#pragma once

#include <optional>

#include "lib/exact/rational.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// mu^2 of Gaussian mechanisms that dominate the run in both directions; nothing where none is
/// known.
std::optional<Rational> dominating_mu_squared(const Composition& composition);

}  // namespace plaudit
