// A quick upper bound of one direction: by one moment, to see that the other direction decides.
//
// The order is chosen in floating point, and the moment is computed only where it promises to
// settle the matter. Proof: docs/proofs/chernoff.md#chernoff, docs/proofs/chernoff.md#ceiling
#pragma once

#include <optional>

#include "accountants/accountant.hpp"
#include "accountants/query.hpp"

namespace plaudit {

/// A band of the number that is asked for whose upper end is at most x, an exact ball; nothing
/// where one moment does not show that.
std::optional<Enclosure> moment_ceiling(const ComposedLoss& loss, Quantity quantity,
                                        const Rational& argument, const Ball& x);

}  // namespace plaudit
