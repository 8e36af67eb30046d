// The standard normal distribution function at many nearby points.
//
// Phi is expanded about the nearest multiple a of 2^-6, with the remainder of the Taylor series
// bounded by Cauchy's estimate. Accurate to the working precision relative to the density at y, so
// also relative to Phi(y) far out. Several times faster than erfc at each point, if neighbours
// follow each other; erfc where they do not.
// Proof: docs/proofs/grid.md#normal-taylor
#pragma once

#include <optional>
#include <vector>

#include "lib/balls/ball.hpp"

namespace plaudit {

class NormalCdfTable {
 public:
  /// @param bits what the series is good for, relative to the density; 0: the working precision.
  explicit NormalCdfTable(long bits = 0) : wanted_bits_(bits) {}

  /// Encloses Phi(y).
  Ball at(const Ball& y);

 private:
  void expand(long anchor);

  long wanted_bits_;
  bool empty_ = true;
  long anchor_ = 0;                 ///< the series is about anchor / 64
  std::optional<long> asked_;       ///< of the last point without a series
  long bits_ = 0;                   ///< and made for this working precision
  Ball value_;                      ///< Phi(a)
  std::vector<Ball> coefficients_;  ///< of u, u^2, ...
  Ball remainder_;                  ///< for |u| <= reach
};

}  // namespace plaudit
