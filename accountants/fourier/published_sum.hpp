// The sum that the published Fourier accountant computes, without rounding, in balls:
//   I = (1/n) sum_k F_k^count sum_{j dx > eps} (1 - e^{eps - j dx}) e^{2 pi i j k / n},
// the frequencies F_k of published_frequencies.hpp for the first k, and a bound of the others.
// Proof: docs/proofs/fourier.md#published
#pragma once

#include <vector>

#include "accountants/fourier/published_lattice.hpp"
#include "accountants/fourier/published_numbers.hpp"
#include "lib/balls/complex_ball.hpp"

namespace plaudit {

class PublishedSum {
 public:
  /// At the working precision. @param lattice outlives the sum.
  explicit PublishedSum(const PublishedLattice& lattice);

  /// Encloses I at epsilon, without mass at infinity. @throws std::domain_error where the precision
  /// does not tell epsilon from a point of the grid.
  Ball at(const Ball& epsilon) const;

 private:
  void make_spectrum();
  Ball of_spectrum(const Ball& epsilon, long first) const;

  const PublishedLattice& lattice_;
  std::optional<SampledWeights> single_;  ///< the law itself where there is one step only
  std::vector<ComplexBall> spectrum_;     ///< prod F_k^count for k < N
  Ball spectrum_rest_;  ///< bound of what the frequencies N <= |k| <= n / 2 add to I
};

}  // namespace plaudit
