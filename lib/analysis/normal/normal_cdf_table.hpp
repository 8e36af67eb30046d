// The standard normal distribution function at many nearby points.
//
// A point is answered by a Taylor series about the nearest multiple a of 2^-6, if the point before
// it had the same one; else by one about the nearest integer, on the same condition; else by erfc.
// Remainders are bounded by Cauchy's estimate. Accurate to the working precision relative to the
// density at y, so also to Phi(y) far out. Much faster than erfc, if neighbours follow each other.
// Proof: docs/proofs/grid.md#normal-taylor
#pragma once

#include <optional>
#include <vector>

#include "lib/balls/ball.hpp"

namespace plaudit {

class NormalCdfTable {
 public:
  /// @param bits of the values that the short series give, relative to the density; 0: the working
  ///   precision. A choice: the remainder is in the radii.
  explicit NormalCdfTable(long bits = 0) : wanted_bits_(bits) {}

  /// Encloses Phi(y).
  Ball at(const Ball& y);

 private:
  struct Series {
    long bits = 0;  ///< the working precision it was asked for at; 0: there is none
    double centre = 0;
    double reach = 0;
    Ball value = {};                      ///< Phi(centre)
    std::vector<Ball> coefficients = {};  ///< of u, u^2, ...
    Ball remainder = {};                  ///< for |u| <= reach
  };

  static Series series(double centre, double reach, long bits, Ball value);
  static Ball sum_at(const Series& series, const Ball& y);
  Ball by_wide_series(const Ball& y);

  long wanted_bits_;
  Series near_;
  Series wide_;
  std::optional<double> asked_;       ///< the anchor of the last point that had no short series
  std::optional<double> asked_wide_;  ///< the integer of the last point that had no wide one
};

}  // namespace plaudit
