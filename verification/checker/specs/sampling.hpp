// Exact laws of the number of differing records in a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "accountants/proof/arithmetic/numbers.hpp"

namespace plaudit::proof {

/// P(j), j = 0, 1, ...: exact, with sum 1. @throws Rejected where the numbers would be too long.
using CountLaw = std::vector<Rational>;

/// How many of `trials` records are taken, each with probability `rate`.
CountLaw binomial(std::uint64_t trials, const Rational& rate);
/// How many black balls are among `drawn` of `white` + `black` ones.
CountLaw hypergeometric(std::uint64_t drawn, std::uint64_t white, std::uint64_t black);

}  // namespace plaudit::proof
