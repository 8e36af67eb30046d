// The standard normal distribution function at many nearby points.
//
// Phi is expanded about the nearest multiple a of 2^-6 where several points in a row have the same
// one, else about the nearest integer, with the remainder of the Taylor series bounded by Cauchy's
// estimate. Accurate to the working precision relative to the density at y, so also relative to
// Phi(y) far out. Several times faster than erfc at each point, if neighbours follow each other;
// erfc where they do not.
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
  // Of the last points without a series.
  std::optional<double> asked_;
  std::optional<double> asked_wide_;
};

}  // namespace plaudit
