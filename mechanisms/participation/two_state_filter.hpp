// The likelihood ratio W of a random participation whose filter has two states (two bins, or draws
// of separation 2), in doubles with proven sides.
//
// Between rows the history matters by two numbers alone: t, the likelihood ratio so far, and p, the
// probability given the history that the record is in the first state. E (W - x)_+ given the
// history is convex and rising in (t p, t (1 - p)), and homogeneous in these and x together.
// TwoStateUpper carries masses of (t, p) on a grid, each row splitting what falls between its
// nodes: they give an E (W - x)_+ that is at least the true one. TwoStateAttack carries a label of
// the grid that is made of the outputs alone, with its probabilities under P from below and under Q
// from above: true tests. Proof: docs/proofs/random_participation.md#plane
#pragma once

#include <optional>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"
#include "mechanisms/participation/label_tests.hpp"
#include "mechanisms/participation/random_participation.hpp"

namespace plaudit {

/// log t on a grid: so great at most, which keeps masses times t far from the ends of doubles.
inline constexpr long greatest_log_ratio = 184;

/// The grid: log t is a multiple of `mesh` from `first` < 0 to `last` > 0; p has the nodes of
/// share_node() (two_state_noise.hpp).
struct TwoStateGrid {
  Rational mesh;
  long first;
  long last;

  std::size_t places() const { return static_cast<std::size_t>(last - first + 1); }
};

/// A grid for this scheme; nothing where its filter has more states or a grid would be too coarse.
std::optional<TwoStateGrid> two_state_grid(const RandomParticipation& scheme);

class TwoStateUpper {
 public:
  TwoStateUpper(const RandomParticipation& scheme, const TwoStateGrid& grid);

  /// At least E (W - x)_+ at the places x = exp(mesh k), k = first, ..., last.
  const std::vector<Ball>& above() const { return above_; }

 private:
  std::vector<Ball> above_;
};

class TwoStateAttack : public LabelTests {
 public:
  TwoStateAttack(const RandomParticipation& scheme, const TwoStateGrid& grid);
};

}  // namespace plaudit
