// Two laws on the buckets of one grid, one above and one below a privacy loss, in doubles: composed
// by one transform, cut to a window, and put on a grid of twice the mesh.
//
// A bucket j stands for the loss j mesh. Masses are kept tilted, b_j = P(L = j mesh) e^{t j mesh}
// 2^-exponent, so that what rounding adds is small beside what counts. Every double is rounded to
// the safe side: the law above has at least the mass, and the law below at most the mass, that
// exact arithmetic would give it. Proof: docs/proofs/grid.md#squaring
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// e^{-t m mesh} for m = 0, 1, ... as doubles from below and from above: by it a tilted mass is
/// multiplied when it moves m buckets down, and divided when it moves up.
struct DecayTable {
  std::vector<double> least;
  std::vector<double> greatest;

  /// @throws std::domain_error where the last one is no normal double.
  DecayTable(const Ball& tilt, double mesh, std::size_t count);
  /// Makes it the table of twice the mesh, of as many values.
  void coarsen();
};

class BucketLaws {
 public:
  /// The laws of one step: losses rounded up, resp. down, to the buckets -half .. half; all above
  /// `half` is at infinity, resp. in bucket half. @param mesh for which the loss knows_cells().
  /// @param decay of 2 half + 1 values.
  BucketLaws(const PrivacyLoss& loss, Direction direction, double mesh, long half, const Ball& tilt,
             const DecayTable& decay);
  /// Laws of these masses (tilted) in the buckets first, first + 1, ...
  BucketLaws(long first, std::vector<double> above, std::vector<double> below);

  /// The laws of the sum of two: cut() follows, before they are composed again.
  static BucketLaws composed(const BucketLaws& one, const BucketLaws& other);
  /// Puts what is above the bucket `half` to infinity (law above) or into it (law below), and what
  /// is below `lowest` into that (law above) or nowhere (law below); lowest >= -half.
  void cut(long lowest, long half, const DecayTable& decay);
  /// Moves the laws to twice the mesh; measure() follows. @param decay for the mesh before.
  void coarsen(const DecayTable& decay);
  /// Sets untilt_, for laws that were made of masses.
  void set_scale(long half, double mesh, const Ball& tilt);
  /// Bounds the finite mass of the law above, for composed(). @param decay for the present mesh.
  void measure(long half, const DecayTable& decay);

  long first() const { return first_; }
  long exponent() const { return exponent_; }
  const std::vector<double>& above() const { return above_; }
  const std::vector<double>& below() const { return below_; }
  /// P(L = inf) of the law above, an upper bound.
  const Ball& infinite() const { return infinite_; }

  /// delta of the law above from above, and of the law below from below, as one ball.
  Ball delta(const Ball& epsilon, double mesh, const Ball& tilt) const;

 private:
  void normalise();

  long first_ = 0;
  long exponent_ = 0;
  std::vector<double> above_;
  std::vector<double> below_;
  Ball infinite_;
  /// Upper bound of the finite mass of the law above, once that was measured.
  Ball finite_ = positive_infinity();
  /// e^{t half mesh}: P(L = j mesh) = b_j decay[j + half] 2^exponent untilt.
  Ball untilt_ = Ball(1);
};

}  // namespace plaudit
