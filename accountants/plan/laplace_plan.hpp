// Choices for n-fold Laplace noise (accountants/proof/kinds/laplace_sum.hpp), in floating point.
#pragma once

#include <cstdint>
#include <optional>

#include "accountants/plan/laplace_power.hpp"
#include "accountants/proof/kinds/laplace_sum.hpp"

namespace plaudit {

struct LaplacePlan {
  proof::LaplaceChoices choices;
  double lost_bits = 0;  ///< by which the terms exceed delta: they cancel in the sum
};

/// For delta near an epsilon to a relative accuracy of about e^-nats.
/// @param first the k with which the sum is to start; nothing: the last one that is accurate
/// enough.
LaplacePlan plan_laplace(const LaplacePower& power, double epsilon, double nats,
                         std::optional<std::uint64_t> first = std::nullopt);

}  // namespace plaudit
