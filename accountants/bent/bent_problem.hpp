// The integral over a bent contour, and what has to be chosen for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mechanisms/bent/bent_factor.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// What is integrated: prod_i At_i(w)^{n_i} e^{mu w (w - 1)} e^{-kappa w} / (w (w - 1)).
struct BentProblem {
  struct Factor {
    GaussianMixture mixture;
    std::uint64_t count;
  };
  std::vector<Factor> mixtures;
  Rational gaussian_mean = 0;  ///< mu: sum of the means of the Gaussian factors
  Direction direction = Direction::remove;

  /// Collects the factors. @throws std::domain_error when some factor is of another kind.
  explicit BentProblem(const ComposedLoss& loss);
  BentProblem() = default;
};

/// The free parameters of a search.
struct BentCandidate {
  double distance;  ///< from the crossing to the nearer pole: 1 (remove) or 0 (add)
  double scale, angle, width_ratio;
  std::vector<BentShape> shapes;
};

/// `nats` of accuracy relative to e^{log_delta}, and how much more to ask of single error terms,
/// learnt from a first attempt.
struct BentGoal {
  double nats, log_delta;
  double more_z = 0, more_truncation = 0, more_y = 0, more_tails = 0, more_bits = 0;
};

struct BentPlan {
  bool feasible = false;
  double center = 0, scale = 0, angle = 0, half_width = 0;  ///< hyperbola and its strip
  std::size_t per_octave = 1, nodes = 0;                    ///< step log(2) / per_octave
  bool subtract_one = false;                                ///< integrate (prod - 1) instead
  std::vector<BentShape> shapes;
  std::vector<BentGrid> grids;
  long bits = 64;
  double seconds = 0;    ///< predicted cost
  double log_delta = 0;  ///< the size of delta it was made for
  double kappa = 0;      ///< and kappa
  BentCandidate candidate{};
  std::vector<double> place{};  ///< of the candidate in the search, where there was one
};

/// 0 = x_0 < ... < x_count = end, each longer than the one before, starting near first / 2.
std::vector<double> bent_arc_edges(double end, double first, std::size_t count);

}  // namespace plaudit
