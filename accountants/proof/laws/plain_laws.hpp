// Laws of privacy losses that a few exact numbers state: what the evaluators of accountants/proof
// are told of a law.
//
// L = log dP/dQ under P. phi is the standard normal density.
#pragma once

#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit::proof {

/// N(a, 1) against N(0, 1), the same in both directions: L ~ N(mu, 2 mu), mu = a^2 / 2. The
/// distance a need not be rational.
struct Gaussian {
  Rational mu;  ///< > 0
};

/// f(y) = sum_i p_i e^{a_i y - a_i^2/2}, y standard normal under the law without the record.
/// Remove: P = f phi, Q = phi, L = log f. Add: P = phi, Q = f phi, L = -log f.
struct Mixture {
  std::vector<Rational> rates;          ///< a_i / sqrt(radicand) >= 0, increasing, at least 2
  std::vector<Rational> probabilities;  ///< p_i > 0, sum 1
  bool removes;
  /// > 0, and 1 unless its root is irrational.
  Rational radicand = 1;
};

/// P = sum_i p_i N(a_i, 1), Q = sum_i p_i N(-a_i, 1) (docs/proofs/mirrored.md#law). The same in
/// both directions.
struct Mirrored {
  std::vector<Rational> rates;          ///< 0 = a_0 < a_1 < ...
  std::vector<Rational> probabilities;  ///< p_i > 0, sum 1
};

/// Lap(a, 1) against Lap(0, 1): atoms at +-a and a density between, the same in both directions
/// (docs/proofs/hockey_stick.md#laplace).
struct Laplace {
  Rational ratio;  ///< a > 0
};

/// The density e^{l/2} / (4 sinh(epsilon/2)) on [-epsilon, epsilon], the same in both directions
/// (docs/proofs/selection.md#bounded-range).
struct Range {
  Rational epsilon;  ///< > 0
};

}  // namespace plaudit::proof
