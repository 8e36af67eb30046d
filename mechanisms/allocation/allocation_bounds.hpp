// Elementary bounds of the moments of the mean of t independent lognormal variables of mean 1,
// A(w) = E (S/t)^w, without a transform: from inequalities at real points, exact at integers, from
// integers to what lies between them by convexity of log A, and how fast |A| falls along vertical
// lines. Their only errors are the radii of balls.
// Proof: docs/proofs/random_allocation.md#elementary, docs/proofs/random_allocation.md#decay
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

class AllocationBounds {
 public:
  /// @param squared_rate a^2 > 0. @param steps t >= 1.
  AllocationBounds(const Rational& squared_rate, std::uint64_t steps)
      : squared_rate_(squared_rate), steps_(steps) {}

  /// Upper bounds of A at real points from elementary inequalities.
  /// Proof: docs/proofs/random_allocation.md#elementary
  Ball elementary_bound(const Ball& r) const;
  /// A(m), m >= 0 an integer.
  /// Proof: docs/proofs/random_allocation.md#elementary
  Ball integer_moment(std::uint64_t m) const;
  /// Encloses A(r), r >= 0, by the integers around it. From any thread.
  /// Proof: docs/proofs/random_allocation.md#elementary
  Ball between_integers(const Ball& r) const;
  /// Upper bound of log(|A(r + iy)| / A(r)) for all real r: -a^2 y^2 / (2t).
  /// Proof: docs/proofs/random_allocation.md#decay
  Ball log_decay(const Ball& y) const;
  double estimate_log_decay(double y) const;

 private:
  void extend_integers(std::uint64_t most) const;

  Rational squared_rate_;
  std::uint64_t steps_;
  mutable std::mutex mutex_;
  mutable std::vector<Ball> integers_;  ///< A(0), A(1), ..
};

/// E (X/t)^k / k! for k <= most, of one draw X.
std::vector<Ball> moments_of_draw(const Rational& squared_rate, std::uint64_t steps,
                                  std::uint64_t most);

}  // namespace plaudit
