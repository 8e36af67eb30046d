// Discretisations of a privacy loss on the grid eps_i = i mesh, from above and from below.
//
// Both start from the P- and Q-masses of the cells between grid points. From above (connect the
// dots) the mass of a cell is split to its two ends so that P and Q are preserved; from below
// outcomes around each grid point eps_j are merged, with as much from below it as leaves the group
// the ratio P / Q >= e^{eps_j}. The curve of the law lies between the curves of the two,
// at every epsilon and after any composition with others. Proof: docs/proofs/grid.md#upper,
// docs/proofs/grid.md#lower, docs/proofs/grid.md#order
#pragma once

#include <vector>

#include "lib/balls/error_term.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// What the ends of the window cost the upper law: the part of the curve above the last grid
/// point, and the mass below the first one.
inline constexpr ErrorTerm grid_window{"grid.window", "docs/proofs/grid.md#window"};

/// P- and Q-mass of a set of outcomes.
struct OutcomeMass {
  Ball p;
  Ball q;
};

/// Grid points first..last.
struct GridWindow {
  long first;
  long last;
};

/// A law cut at the grid points eps_i (i = first..last) and, unless cells are whole, at one point
/// c_i inside each cell.
struct GridMasses {
  double mesh = 0;
  GridWindow window{0, 0};
  std::vector<OutcomeMass> left;   ///< (eps_i, c_i], i = first..last-1
  std::vector<OutcomeMass> right;  ///< (c_i, eps_{i+1}]
  std::vector<Ball> points;        ///< P-mass known to lie at eps_i, i = first..last: in no cell
  Ball below;                      ///< P-mass of (-inf, eps_first] but for points[0]
  OutcomeMass above;               ///< (eps_last, inf), +inf excluded
  Ball infinite;                   ///< P(L = +inf)
};

struct GridPair {
  LatticeLaw pessimistic;
  LatticeLaw optimistic;
  Ball window;  ///< what grid.window charged to the upper law, as P-mass
};

/// Whether each cell is cut in two at its c_i. Where it is not, `left` is 0 and `right` all of it.
enum class Cells { cut, whole };

/// Cuts a law at the grid points and, unless cells are whole, at c_i near the middles, chosen so
/// that neighbouring groups of the lower law balance nearly exactly. @param mesh > 0, of few bits.
/// @param cells whole: half as many questions to the law, for bucket_pair; grid_pair's laws bound
/// the curve then too, the lower one less closely.
GridMasses grid_masses(const PrivacyLoss& loss, double mesh, GridWindow window,
                       Cells cells = Cells::cut);
/// Cuts a lattice law of offset 0 at the multiples of `ratio` times its mesh, an exact double.
/// Proof: docs/proofs/grid.md#coarser
GridMasses grid_masses(const LatticeLaw& law, long ratio, GridWindow window);

/// Theorems 7 and 8. @param tilt heuristic: the lower law gives something up at one place, where
/// the law tilted by it has little mass. Proof: docs/proofs/grid.md#upper,
/// docs/proofs/grid.md#lower
GridPair grid_pair(const GridMasses& masses, double tilt);

/// Losses rounded up and down to the grid: the simplest such pair.
/// Proof: docs/proofs/grid.md#buckets
GridPair bucket_pair(const GridMasses& masses);

/// Closes the window of an upper law: the mass `below` is raised to the first point, and `above` is
/// split between infinity and the last point. @param last e^loss there. @return the mass raised
/// and the mass sent to infinity, as charged. Proof: docs/proofs/grid.md#window
Ball close_window(const GridMasses& masses, const Ball& last, LatticeLaw& law);

/// Heuristic: a window eps_first .. eps_last with P(eps_last < L < inf) about e^log_above and
/// e^{t eps_first} P(L <= eps_first) about e^log_below.
GridWindow choose_window(const PrivacyLoss& loss, double mesh, double log_above, double log_below,
                         double t);

}  // namespace plaudit
