// The law of partition selection, whose curve is the greatest, over all n, of those of a group of n
// and of n + 1 users: four losses at most and infinity, by geometric sums and not group by group.
// Proof: docs/proofs/partition_selection.md#closed
#pragma once

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// epsilon > 0, delta in (0, 1). @throws Rejected where the number of users of a group that is
/// certainly shown exceeds 10^5, or is not decided.
Finite partition_law(const Rational& epsilon, const Rational& delta, Direction direction);

}  // namespace plaudit::proof
