// Noise on the integers with log-concave probabilities, moved by an integer D against itself:
// Skellam noise, and sums of discrete Gaussian noise.
//
// Outputs of a window are atoms, those on either side of it one outcome each: a law below and one
// above, of which the true curve lies between. What is returned encloses both.
// Proof: docs/proofs/integer_noise.md#window
#pragma once

#include <cstdint>

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// @param variance in (0, 10^5]. @param shift D, 1 to 10^4.
Finite skellam_law(const Rational& variance, long shift);

/// @param variance of each of the parties. @param shift D, 1 to 10^4.
Finite discrete_gaussian_sum_law(std::uint64_t parties, const Rational& variance, long shift);

}  // namespace plaudit::proof
