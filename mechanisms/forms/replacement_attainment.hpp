// Fixed batches under replace adjacency: what two data sets reach, of which one has zeros alone and
// the other one has `size` records that move the sum by the sensitivity each.
//
// The sum moves by K sensitivities, K the number of these records in a batch: the mixture of
// Gaussians over K against N(0, sigma^2), in either order. Proof: docs/proofs/attainment.md#batches
#pragma once

#include "mechanisms/forms/replacement_mechanism.hpp"

namespace plaudit {

Attainment replacement_attainment(const ReplacementMechanism::Scheme& scheme);

}  // namespace plaudit
