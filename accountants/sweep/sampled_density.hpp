// One step of Poisson-sampled Laplace noise in the variable x = log f(l), under the law without the
// record: two atoms, and a density q between them whose derivatives have known signs.
//
// Proof: docs/proofs/laplace.md#sampled (notation, step 1)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

struct SampledLaplacePower {
  SampledLaplaceLaw law;
  std::uint64_t steps;
};

/// The composition as a power of one law; nothing where another mechanism or parameter takes part.
std::optional<SampledLaplacePower> sampled_laplace_power(const ComposedLoss& composition);

struct SampledDensity {
  Ball top;     ///< x_1
  Ball bottom;  ///< x_2 < x_1
  Ball width;   ///< D = x_1 - x_2
  Ball top_mass;
  Ball bottom_mass;
  std::vector<Ball> at_top;     ///< d_i(x_1) = (-1)^i q^(i)(x_1) > 0
  std::vector<Ball> at_bottom;  ///< d_i(x_2)
};

/// With so many derivatives, at the working precision.
SampledDensity sampled_density(const SampledLaplaceLaw& law, std::size_t derivatives);

}  // namespace plaudit
