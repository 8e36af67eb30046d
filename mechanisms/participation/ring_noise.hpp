// The noise of a ring of bins in cells, for RingUpper and RingAttack (ring_filter.hpp), and the
// places of t. Proof: docs/proofs/random_participation.md#ring
#pragma once

#include <cstddef>
#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/participation/random_participation.hpp"
#include "mechanisms/participation/ring_filter.hpp"
#include "mechanisms/participation/two_state_noise.hpp"

namespace plaudit {

/// Whether E (W - x)_+ or E (x - W)_+ is bounded from above: the first one rises with F and G, the
/// second one falls.
enum class RingSide { excess, shortfall };

/// How y_r moves log F_r and log G_r: F = exp(own y - own^2/2), G likewise.
struct RingMeans {
  Ball own;        ///< of bin r
  Ball before;     ///< of bin r - 1
  bool own_leads;  ///< own >= before
};

struct Ring {
  std::size_t bins;
  bool closed;                   ///< rows of step 0 have a mean in the last bin too
  Ball first;                    ///< log H moves by so much with its own normal
  std::vector<RingMeans> means;  ///< of y_0, ..., y_(bins - 1); those of y_0 are 0 where not closed
  Ball common;                   ///< log W moves by so much with a normal of its own besides
};

/// The ring of at most two coefficients. Of more, a ring whose curves are above those of the
/// scheme. Proof: docs/proofs/random_participation.md#compared
Ring ring_above(const RandomParticipation& scheme);
/// The same below the scheme, without a common normal.
Ring ring_below(const RandomParticipation& scheme);

/// A standard normal y in cells.
class RingNoise {
 public:
  RingNoise(const RingMeans& means, const Rational& width);

  /// Values of (F, G), and a weight from above and from below.
  struct Vertex {
    double own;
    double before;
    double weight;
    double least_weight;
  };
  /// Ends of the cells with weights that have Q of each cell and the mean of the faster one of F
  /// and G over it; the slower one is a concave function of it, and is raised above that on the
  /// chords for the side `excess`. What is below all cells is at the first end, or at F = G = 0;
  /// what is beyond them at the last one. Values are rounded to the side, weights up.
  std::vector<Vertex> vertices(RingSide side) const;

  /// The means of F and G over each cell, rounded down, and its Q.
  std::vector<Vertex> means() const;

  /// Neither F nor G moves: one value stands for all.
  bool moves_nothing() const { return means_.own.is_exact_zero() && means_.before.is_exact_zero(); }
  /// Where the cells end.
  const Ball& reach() const { return bounds_.back(); }

 private:
  std::vector<NoiseCell> cells() const;  ///< Q, E_Q [G; cell] and E_Q [F; cell]
  /// By how much the slower one of F and G is raised.
  Ball lift() const;

  RingMeans means_;
  std::vector<Ball> bounds_;
};

/// Masses below this have no node of their own: a bound of 10^-15 consists of far greater ones.
inline constexpr double gathered_mass = 1e-23;
inline constexpr double seconds_of_ring_product = 2.5e-9;  ///< nominal, for one node in one sum

/// The places of t as doubles: node 0 is t = 0, node 1 + k + last is about exp(mesh k).
std::vector<double> ring_nodes(const RingGrid& grid);

}  // namespace plaudit
