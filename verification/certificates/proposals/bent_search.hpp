// Choices of the kind `bent` (docs/certificates/bent.md), searched in floating point: the bounds of
// the checker at single points instead of on pieces. Nothing here is trusted.
#pragma once

#include <complex>
#include <vector>

namespace plaudit {

/// What is integrated, in doubles: f/p_0 = 1 + sum e^{rate y + shift} of each mixture.
struct BentTask {
  struct Factor {
    std::vector<double> rates;
    std::vector<double> shifts;
    double loss;  ///< -log p_0
    double count;
  };
  std::vector<Factor> factors;
  double mean = 0;  ///< of the Gaussian factors
  bool removes = true;
  double epsilon = 0;

  double kappa() const;
};

/// The fields of the choices.
struct BentChoice {
  struct Path {
    double rise, tilt, knee, bend, strip, step;
    long first, last;
    double accuracy;
  };
  double center, scale, angle, strip, step;
  long per_arc, arcs, arcs_beyond;
  std::vector<Path> paths;
  long bits;
  double work;  ///< nodes times points
};

/// The cheapest choice found whose error stays below the tolerance, by about `effort` attempts.
/// @throws std::invalid_argument where there is none.
BentChoice search_bent(const BentTask& task, double tolerance, int effort);

}  // namespace plaudit
