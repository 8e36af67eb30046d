// Averages of a polynomial around every point, as polynomials in doubles with a proven error.
//
//   sum_k C_k X^k = integral of p(X + s) w(s) ds,   C_k = sum_m D_{k+m} binomial(k + m, k) mu_m,
// for p = sum_j D_j X^j and the moments mu_m of a weight w >= 0 on [0, inf).
// Proof: docs/proofs/blocks.md#averages
#pragma once

#include <vector>

#include "lib/analysis/double_polynomial.hpp"

namespace plaudit {

/// Doubles next to the numbers in balls, and upper bounds of their distances from them.
struct NearDoubles {
  explicit NearDoubles(const std::vector<Ball>& exact);

  std::vector<double> values;
  std::vector<double> distances;
};

class Averages {
 public:
  static constexpr std::size_t most_moments = 56;  ///< so that binomials are exact doubles

  /// @param moments mu_0, mu_1, ...: enclosures of numbers >= 0, at most `most_moments`. @throws
  ///   std::invalid_argument where one is not known to a relative 2^-52.
  explicit Averages(const std::vector<Ball>& moments);

  std::size_t size() const { return columns_.size(); }
  /// The polynomial of the C_k for these D_k, at most size() of them; its error() has all errors.
  DoublePolynomial operator()(const NearDoubles& coefficients) const;

 private:
  std::vector<std::vector<double>> rows_;  ///< binomial(k + m, k) mu_m, m < size() - k
  std::vector<double> columns_;            ///< their sums over k + m = j
};

}  // namespace plaudit
