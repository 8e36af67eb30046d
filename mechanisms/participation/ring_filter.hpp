// The likelihood ratio W of balls in three or more bins with at most two coefficients, in doubles
// with proven sides; of more coefficients that of rings which are above and below the scheme
// (docs/proofs/random_participation.md#compared).
//
// A row has a mean in the bin of its step and, by the second coefficient, in the bin before. Rows
// of one step modulo the bins are one normal y_r, and W = (1/b) sum_r F_r(y_r) G_(r+1)(y_(r+1)),
// the bins in a ring: F and G are exponentials of mean 1 under Q, bin 0 has a factor H of the first
// row besides. Bin after bin the history matters by two numbers: the sum t so far and the last y;
// y_0, which closes the ring, is given first. E (W - x)_+ is convex in every y and in t.
//
// RingUpper carries masses of t on a grid while each y jumps to the ends of its cell: they give an
// E (W - x)_+ and an E (x - W)_+ that are at least the true ones. RingAttack carries a label of the
// grid that is made of the cells alone, with its probabilities under P from below and under Q from
// above: true tests. Proof: docs/proofs/random_participation.md#ring
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"
#include "mechanisms/participation/label_tests.hpp"
#include "mechanisms/participation/random_participation.hpp"

namespace plaudit {

/// Places of log t are k `mesh`, k from -last to last; `closing_cell` is the width of cells of y_0.
struct RingGrid {
  Rational mesh;
  long last;
  Rational cell;  ///< the width of the cells of every other normal
  Rational closing_cell;

  std::size_t places() const { return static_cast<std::size_t>(2 * last + 1); }
};

/// A grid for this scheme; nothing where it is no ring or its grid would be too coarse.
std::optional<RingGrid> ring_grid(const RandomParticipation& scheme);

class RingUpper {
 public:
  RingUpper(const RandomParticipation& scheme, const RingGrid& grid);

  /// At least E (W - x)_+ at the places x = exp(mesh k), k = -last, ..., last.
  const std::vector<Ball>& excess() const { return excess_; }
  /// At least E (x - W)_+ there.
  const std::vector<Ball>& shortfall() const { return shortfall_; }

 private:
  std::vector<Ball> excess_;
  std::vector<Ball> shortfall_;
};

class RingAttack : public LabelTests {
 public:
  RingAttack(const RandomParticipation& scheme, const RingGrid& grid);
};

}  // namespace plaudit
