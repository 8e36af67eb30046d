// The pair behind every Gaussian mechanism: a mixture of shifted Gaussians against the centred one.
//
// P = sum_i p_i N(c_i, s^2), Q = N(0, s^2), c_i >= 0 ("remove"; "add" is the swapped pair), with
// s = sigma sqrt(radicand). In units of the noise, dP/dQ at y is f(y) = sum_i p_i exp(a_i y - a_i^2
// / 2), a_i = c_i / s.
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

/// Exact parameters. Invariants (checked by normalised()): sigma, radicand > 0; sensitivities >= 0,
/// strictly increasing, the last positive; probabilities > 0 with sum exactly 1; equal lengths.
struct GaussianMixture {
  Rational sigma;
  std::vector<Rational> sensitivities;
  std::vector<Rational> probabilities;
  /// Other than 1 in laws alone whose facts do not name the mixture: for all who read facts, s is
  /// sigma.
  Rational radicand = 1;

  /// a_i at the working precision, its square exactly, and p_i e^(-a_i^2 / 2).
  Ball rate(std::size_t i) const;
  Rational squared_rate(std::size_t i) const;
  Ball weight(std::size_t i) const;
  double estimated_rate(std::size_t i) const;

  bool operator==(const GaussianMixture&) const = default;
};

/// Sorts, merges equal sensitivities, drops those of probability 0, and checks the invariants.
/// @throws std::invalid_argument naming the parameter and its domain.
GaussianMixture normalised(GaussianMixture mixture);

/// sum_i p_i Phi(sign a_i - y), a_i = c_i / sigma: what P, or its mirror image, has above y.
Ball mass_above(const GaussianMixture& mixture, const Ball& y, int sign = 1);

}  // namespace plaudit
