// The moment integral of one Gaussian mixture on a hyperbola, by the trapezoid rule on a path that
// is the same for every point of the hyperbola.
//
//   At(w) = int phi(y) (f(y) / p_0)^w dy,   M(z) = p_0^w At(w)  with w = 1 + z ("remove"), -z
//   ("add").
// A common path for all w is what makes many values cheap: log(f / p_0) is computed once per path
// point, and with nodes x_k = k log(2) / m a value at node k + m is the square of one at node k.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "mechanisms/bent/bent_boxes.hpp"
#include "mechanisms/bent/bent_path.hpp"
#include "mechanisms/bent/hyperbola.hpp"

namespace plaudit {

/// Points xi_j = j step, first <= j <= last, on the path, and the range of the boxes around it.
struct BentGrid {
  double step;
  long first, last;
  double left, right;
};

class BentFactor {
 public:
  /// @throws std::domain_error when a hypothesis of the theorem cannot be verified.
  BentFactor(const GaussianMixture& mixture, const BentShape& shape, const BentGrid& grid,
             const BoxWidths& widths);

  /// The same path and boxes with other points, at no cost; nothing where shape, ends of the boxes
  /// or widths are others. The mixture must be the same.
  std::optional<BentFactor> with_points(const BentShape& shape, const BentGrid& grid,
                                        const BoxWidths& widths) const;

  const BentPath& path() const { return path_; }
  std::size_t points() const { return static_cast<std::size_t>(grid_.last - grid_.first + 1); }

  /// Boxes of the bounds, on all three paths together.
  std::size_t boxes() const { return center_.size() + above_.size() + below_.size(); }

  /// |e^{w l}| stays bounded on the path on this hyperbola and on all with a smaller angle.
  bool decays(const Hyperbola& hyperbola) const { return center_.decays(hyperbola); }
  /// Upper bounds of |At(w)| and |At(w) - 1| on the arc.
  BentBound bound(const HyperbolaArc& arc) const { return center_.integral(arc); }
  /// Upper bound of the error of the infinite trapezoid sum for At(w) - 1, w on the arc.
  Ball quadrature_error(const HyperbolaArc& arc) const;
  /// Upper bound of what its points outside the grid contribute.
  Ball omitted_tails(const HyperbolaArc& arc) const;

  /// Limbs of the fixed point in which such sums are made, 0 where they are made in balls.
  static std::size_t limbs(long bits, std::size_t points);

  /// The finite sums for At(w(x_k)) - 1, x_k = k log(2) / per_octave, k < count; rounding errors in
  /// the radii, the two errors above not included.
  std::vector<ComplexBall> minus_one(const Hyperbola& hyperbola, std::size_t per_octave,
                                     std::size_t count) const;

 private:
  /// Of one point of the path: dv/dxi, log(sqrt(2 pi) phi(y)) and l.
  struct PathPoint {
    ComplexBall derivative, log_density, log_ratio;
  };
  PathPoint path_point(const MixtureInV& in_v, long j) const;
  std::optional<std::vector<ComplexBall>> minus_one_in_fixed_point(const Hyperbola& hyperbola,
                                                                   std::size_t per_octave,
                                                                   std::size_t count) const;

  BentPath path_;
  BentGrid grid_;
  BoxWidths widths_;
  BentBoxes center_, above_, below_;
};

}  // namespace plaudit
