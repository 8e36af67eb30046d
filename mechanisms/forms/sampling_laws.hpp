// Exact laws of the number of a group's records in a batch, by sampling scheme.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// Probabilities of 0, 1, ... with sum exactly 1.
using CountLaw = std::vector<Rational>;

/// The same over a common denominator: fractions of thousands of digits are slow to reduce.
struct CountNumbers {
  std::vector<Integer> counts;
  Integer whole;  ///< their sum
};

/// The most bits that the exact probabilities of one law may have together, about.
inline constexpr double most_law_bits = 5e7;

/// Binomial(trials, rate), 0 < rate <= 1. @throws SpecError in the name of `mechanism` if its exact
/// probabilities would have more than most_law_bits bits.
CountLaw binomial_law(const char* mechanism, std::uint64_t trials, const Rational& rate);
CountNumbers binomial_numbers(const char* mechanism, std::uint64_t trials, const Rational& rate);

/// Black balls among `drawn`, drawn without replacement from `white` white and `black` black balls,
/// drawn <= white. @throws SpecError as binomial_law.
CountLaw hypergeometric_law(const char* mechanism, std::uint64_t drawn, std::uint64_t white,
                            std::uint64_t black);
CountNumbers hypergeometric_numbers(const char* mechanism, std::uint64_t drawn, std::uint64_t white,
                                    std::uint64_t black);

}  // namespace plaudit
