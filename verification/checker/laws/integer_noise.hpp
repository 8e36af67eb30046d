// Noise on the integers with log-concave probabilities, moved by an integer D against itself:
// Skellam noise, and sums of discrete Gaussian noise.
//
// Each output of a window is an atom, all those on either side are one. The true curve lies between
// those of a law below and of one above; the law that is returned encloses both.
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
