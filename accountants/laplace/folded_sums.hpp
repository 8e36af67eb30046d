// Sums over the integers |j| > J of e^{2 pi i j beta} j^-m, m = 2, 3, ..., with which the nodes of
// a class of a periodic line are summed: Bernoulli polynomials less the terms |j| <= J.
//
// Theorem: docs/proofs/laplace.md#folding (S_m).
#pragma once

#include <cstdint>
#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// What the theorems of all folded lines ask of their parameters: t > 0, an odd number Q of
/// classes, and J >= 1. @throws std::domain_error otherwise.
void require_folded_line(double t, std::uint64_t classes, std::uint64_t direct);

/// beta less an integer, near 0: the sums have the period 1.
Ball near_zero_modulo_one(const Ball& beta);

class FoldedSums {
 public:
  FoldedSums() = default;
  /// J = direct, m = 2 .. orders + 1. The Bernoulli numbers have the working precision.
  FoldedSums(std::uint64_t direct, std::size_t orders);

  /// The sums over |j| > J of e^{2 pi i j beta} (y / R)^m R^2 for y = 1 / (i j turn) and R =
  /// radius, |beta| <= 1, the sum of each m at the index m - 2. They lose about m log2(1 + J) bits
  /// by subtraction.
  std::vector<ComplexBall> at(const Ball& beta, const Ball& turn, const Ball& radius) const;

  /// e^{2 pi i j beta}, j = -J .. J.
  std::vector<ComplexBall> phases(const Ball& beta) const;

 private:
  std::vector<ComplexBall> integer_sums(const Ball& beta) const;
  std::vector<Ball> bernoulli_values(const Ball& beta) const;

  std::uint64_t direct_ = 0;
  std::size_t orders_ = 0;
  std::vector<Ball> bernoulli_;  ///< B_i / i!
};

}  // namespace plaudit
