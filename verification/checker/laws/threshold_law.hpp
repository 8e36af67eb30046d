// The law of a threshold of noisy counts with Laplace noise, by its parameters.
// Proof: docs/proofs/thresholds.md#laplace
#pragma once

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// LaplaceThreshold, or one loss and a mass at infinity where a'' <= 0.
/// @param ratio a = 1 / scale > 0. @param height (threshold - 1) / scale.
/// @throws Rejected where 4096 bits do not tell floor(2^96 (-log w)).
Law laplace_threshold_law(const Rational& ratio, const Rational& height, Direction direction);
std::string laplace_threshold_text(const Rational& ratio, const Rational& height);

}  // namespace plaudit::proof
