// The paper's own bounds and estimates of its errors (Koskela, Jalko, Honkela, AISTATS 2020,
// section 7): Lemma 7, Theorem 8, the tail estimate (7.3). For information: their proofs are in an
// appendix that is not at hand, (7.3) leaves out a term O(q^3 lambda^3 / sigma^3), and none enters
// a band.
#pragma once

#include <optional>
#include <string>

#include "lib/balls/ball.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

struct PublishedBounds {
  /// Lemma 7, three terms of which the last is a series, +inf where that diverges; nothing where
  /// 0 < q < 1/2 or L >= 1 do not hold. And the sum of the first two terms.
  std::optional<double> lemma_7;
  double lemma_7_first_terms = 0;
  bool lemma_7_diverges = false;    ///< certainly so where k > 4 sigma^2
  std::optional<double> theorem_8;  ///< an upper bound, where every hypothesis certainly holds
  double tail_estimate = 0;         ///< (7.3)
  bool tail_hypotheses = false;     ///< those of Lemma 9 hold for lambda = L / 2
};

/// Nothing unless the composition is k steps of one Poisson-sampled Gaussian, remove direction.
std::optional<PublishedBounds> published_bounds(const ComposedLoss& loss, const Rational& length);

/// In words, for the text of a method; empty where there are none.
std::string words_of(const std::optional<PublishedBounds>& bounds);

}  // namespace plaudit
