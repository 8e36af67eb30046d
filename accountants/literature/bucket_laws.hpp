// Laws on the buckets of one grid above and below a privacy loss, in doubles: composed by
// transforms, cut to a window, and put on a grid of twice the mesh.
//
// Of the law above a bucket j has a P-mass, all of loss j mesh. Of the law below it has two masses,
// P and Q: what its outcomes truly weigh, wherever in or near the bucket their losses lie. This is
// the error correction of Meiser and Mohammadi: their virtual error of a bucket is its Q-mass less
// e^{-j mesh} times its P-mass. Masses are kept tilted, P e^{t j mesh} 2^-exponent and
// Q e^{(t + 1) j mesh} 2^-exponent, so that what rounding adds is small beside what counts. Every
// double is rounded to the safe side: P-masses above and Q-masses below are at least, and P-masses
// below at most, what exact arithmetic would give. Proof: docs/proofs/grid.md#squaring
#pragma once

#include <vector>

#include "accountants/lattice/grid_pair.hpp"
#include "lib/balls/ball.hpp"

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
  /// The laws of one step. @param orders of the moments that bound what cut() puts to infinity.
  BucketLaws(const GridPair& pair, double mesh, const Ball& tilt, std::vector<Ball> orders);
  /// Laws of these masses (tilted) in the buckets first, first + 1, ..., for tests: no moments and
  /// no finite mass are known, so that infinite() and delta() say nothing of their sums.
  BucketLaws(long first, std::vector<double> above, std::vector<double> below,
             std::vector<double> below_q);

  /// The laws of the sum of two: cut() follows, before they are composed again.
  static BucketLaws composed(const BucketLaws& one, const BucketLaws& other);
  /// Puts what is above the bucket `half` to infinity (law above) or into it (law below), and what
  /// is below `lowest` into that (law above) or nowhere (law below); lowest >= -half.
  void cut(long lowest, long half, const DecayTable& decay);
  /// Moves the laws to twice the mesh: odd buckets are split to the even ones beside them.
  void coarsen();
  /// For laws that were made of masses, in tests.
  void set_scale(double mesh, const Ball& tilt);

  long first() const { return first_; }
  long exponent() const { return exponent_; }
  const std::vector<double>& above() const { return above_; }
  const std::vector<double>& below() const { return below_; }
  const std::vector<double>& below_q() const { return below_q_; }
  /// P(L = inf) of the law above, an upper bound.
  const Ball& infinite() const { return infinite_; }

  /// delta of the law above from above, and of the law below from below, as one ball.
  Ball delta(const Ball& epsilon) const;

 private:
  void normalise();
  void push(long half, double pushed);
  void raise(long half, double raised, const DecayTable& decay);

  long first_ = 0;
  long exponent_ = 0;
  std::vector<double> above_;
  std::vector<double> below_;
  std::vector<double> below_q_;
  Ball infinite_;
  Ball infinite_below_;  ///< P(L = inf) itself
  /// Upper bound of the finite mass of the law above, before doubles are rounded.
  Ball finite_ = positive_infinity();
  double mesh_ = 1;
  Ball tilt_;
  std::vector<Ball> orders_;
  std::vector<Ball> moments_;  ///< upper bounds of E e^{s L}, for each order s, in the same sense
};

}  // namespace plaudit
