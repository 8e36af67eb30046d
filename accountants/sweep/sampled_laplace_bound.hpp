// |M(t+is)| / M(t) of Poisson-sampled Laplace noise: the two atoms are walked like any others, and
// what the density between them adds falls with s, by integration by parts.
//
// Proof: docs/proofs/pinch.md#sampled-laplace, docs/proofs/laplace.md#sampled-parts
#pragma once

#include <memory>

#include "accountants/sweep/line_bound.hpp"

namespace plaudit {

/// @param loss whose facts say that it is of this kind; it outlives the bound. @param t exact.
std::unique_ptr<LineBound> sampled_laplace_bound(const PrivacyLoss& loss, const Ball& t);

}  // namespace plaudit
