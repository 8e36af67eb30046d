// Where the threshold of the best test of a false positive rate seems to be, in floating point:
// nothing here enters a bound.
#pragma once

#include <optional>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// z with P(N > z) = e^log_mass for a standard normal N.
double normal_score(double log_mass);

/// log(phi(z) / P(N > |z|)), the logarithm of the hazard.
double log_normal_hazard(double z);

struct ThresholdGuess {
  double x;      ///< where Q(L > x) is about P(N > score)
  double scale;  ///< by which x moves when the score moves by 1
};

/// By the saddle point; nothing where moments are not known.
std::optional<ThresholdGuess> guess_threshold(const ComposedLoss& loss, double score);

}  // namespace plaudit
