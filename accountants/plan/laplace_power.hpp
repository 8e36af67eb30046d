// n-fold Laplace noise behind a composition: all its terms have one law.
#pragma once

#include <cstdint>
#include <optional>

#include "mechanisms/composition.hpp"
#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

struct LaplacePower {
  const LaplaceLoss* loss;  ///< lives as long as the composition
  std::uint64_t steps;
};

/// The ratio sensitivity / scale is all there is to the law, and it is compared exactly: terms of
/// different scales may be one power. Nothing where another mechanism or ratio takes part.
std::optional<LaplacePower> laplace_power(const ComposedLoss& composition);

/// The saddle-point approximation of log delta(epsilon). Heuristic: enters no bound.
double estimate_log_delta(const LaplacePower& power, double epsilon);

}  // namespace plaudit
