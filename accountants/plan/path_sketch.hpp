// The path in y along which the integral of one mixture is taken, in floating point: its cells,
// what lies beyond its ends, and where they may be. The bounds are those of the proof
// (accountants/proof/kinds/hyperbola_path.hpp) at single points; nothing here enters a bound.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "accountants/plan/hyperbola_curve.hpp"
#include "accountants/plan/mixture_model.hpp"

namespace plaudit {

/// y(x + i offset) on one mixture, its cells, and what the plan makes of it.
struct PathSketch {
  static constexpr std::size_t most_cells = 4000;  ///< a path that has more is of no use

  const MixtureModel& mixture;
  double rise, tilt, knee, bend, strip, accuracy;
  double from = 0, to = 0, step = 0;
  std::vector<DoublePiece> middle = {};
  double pieces = 0;

  std::complex<double> at(double x, double offset) const;

  /// The cells of the path at an offset. @param stretch of the cells: 1 where they are fine.
  /// @param count where the number of pieces is added, or null.
  std::vector<DoublePiece> along(double offset, double stretch, double* count) const;

  /// log of the bound of what lies to the left of x, |w| <= size; infinite where it does not hold.
  double left_end(double x, double size) const;
  /// The same to the right.
  double right_end(double x, const HyperbolaCurve& outer) const;

  /// Sets the ends where the logs of what lies beyond them are below `depth`; false where that is
  /// too far out.
  bool find_ends(double depth, const HyperbolaCurve& outer);
  /// Outward until what lies beyond them is small enough, inward as long as it is.
  /// @param share the log of what may lie beyond an end. @param growth bounds the excess of the
  /// mixture to the left of the path. @param size of w.
  bool move_ends(double share, double growth, double size, const HyperbolaCurve& outer);
};

}  // namespace plaudit
