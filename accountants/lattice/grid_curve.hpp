// The privacy curve by discretised laws: one pessimistic and one optimistic law per factor, on one
// grid, composed by the folded contour.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "accountants/accountant.hpp"

namespace plaudit {

struct GridSettings {
  std::string accountant = "fourier";  ///< the name on its bands
  std::optional<Rational> mesh;        ///< fixed; rounded to a few bits. Else chosen for the goal
  bool evolving = false;  ///< compose about sqrt(n) copies, discretise again, compose those
  /// Of a band of epsilon: no narrower one is tried for.
  std::optional<Rational> width;
  std::string words;          ///< that its method begins with
  std::uint64_t buckets = 0;  ///< not 0: about as many grid points
  bool rounded = false;       ///< losses rounded up and down to grid points, no more
};

/// delta in [optimistic law's lower end, pessimistic law's upper end]. The mesh is chosen so that
/// the band is as narrow as the goal, within a limit on the number of cells and the time left.
/// Proof: docs/proofs/grid.md#order
std::unique_ptr<PrivacyCurve> grid_curve(const ComposedLoss& loss, const Goal& goal,
                                         const GridSettings& settings);

}  // namespace plaudit
