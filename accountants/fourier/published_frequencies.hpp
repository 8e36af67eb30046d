// The discrete Fourier transform of the samples that the published Fourier accountant takes, in
// balls: F_k = sum_{-L <= j dx < L} dx w(j dx) e^{-2 pi i j k / n}, dx = 2 L / n, for the first k.
//
// From the sum itself, or from the moment generating function of the law, of which F_k is a value
// up to aliases and up to what lies outside of [-L, L). Proof: docs/proofs/fourier.md#published
#pragma once

#include <vector>

#include "accountants/fourier/published_numbers.hpp"
#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// Powers of e^{i angle}, asked for in order: one product each with the last power whose exponent
/// is a multiple of 64. (A running product would double its radius every two steps.)
class RootPowers {
 public:
  explicit RootPowers(const Ball& angle);
  ComplexBall operator()(std::size_t k);

 private:
  ComplexBall at(std::size_t k) const;

  Ball angle_;
  std::vector<ComplexBall> fine_;
  ComplexBall coarse_;
};

/// The F_k of the sum, term by term. @param factor on n = `points` points.
std::vector<ComplexBall> frequencies_of_sum(const SampledWeights& factor, std::uint64_t points,
                                            std::size_t count);

/// The F_k as M(-i pi k / L) up to aliases and `outside`: M by the law's own integrals or, where
/// those would take long, by Riemann sums of a mesh of their own. @param times the number of steps:
/// their power loses accuracy. @param length L. @param mesh dx. @param outside bounds the sum of
/// dx w over the points of the lattice outside of [-L, L).
std::vector<ComplexBall> frequencies_of_law(const PrivacyLoss& loss, Direction direction,
                                            double times, const Ball& length, const Ball& mesh,
                                            const Ball& outside, std::size_t count);

}  // namespace plaudit
