// Public labels that are numbers of records of a sample, and their probabilities.
#pragma once

#include <cstdint>
#include <vector>

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// P(K >= cap) of K binomial of `others` records at `rate`, 1 <= cap <= others, enclosed: P(K = k)
/// is summed from the cap away from the mean, which is P(K >= cap) or 1 minus it; a geometric
/// series bounds the rest. @throws Rejected after 10^4 terms.
Interval probability_of_reaching(std::uint64_t others, const Rational& rate, std::uint64_t cap);

/// The label says whether K >= cap: then the law is `reached`, else `under`
/// (docs/proofs/poisson_adjacencies.md#capped).
PublicLabel capped_law(std::uint64_t others, const Rational& rate, std::uint64_t cap,
                       const std::shared_ptr<const Law>& under,
                       const std::shared_ptr<const Law>& reached);

/// Vectors of the norm `ratio` at most in units of the noise on their mean, over Poisson samples
/// from `population` records: one pair for each group of sizes (docs/proofs/averaged.md#groups).
/// @param rate in (0, 1).
Law averaged_law(const Rational& ratio, const Rational& rate, std::uint64_t population,
                 bool replaces, Direction direction);

}  // namespace plaudit::proof
