// Probabilities of sums of discrete Gaussian noise, by products of whole numbers.
//
// The probabilities of one variable, in units of 2^-places from below and from above, are
// multiplied as polynomials (all coefficients in one long integer), and what lies beyond +-reach is
// left out after each product. What is left out in all has at most the probability that one of
// fewer than 2n partial sums lies beyond. Proof: docs/proofs/integer_noise.md#convolution
#pragma once

#include <cstdint>
#include <vector>

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

struct ConvolutionPlan {
  std::uint64_t parties;
  Rational variance;  ///< of one of them
  long last;          ///< the last outcome whose probability is wanted
  long places;
  long reach;  ///< >= last
};

ConvolutionPlan convolution_plan(std::uint64_t parties, const Rational& variance, long last,
                                 long bits);
/// docs/certificates/costs.md#laws
Integer cost_of(const ConvolutionPlan& plan);

/// P(X_1 + .. + X_n = k), k = 0 .. last.
std::vector<Interval> summed_masses(const ConvolutionPlan& plan);

}  // namespace plaudit::proof
