// A quick upper bound of one direction: by one moment, to see that the other direction decides.
//
// The order is chosen in floating point, and the moment is computed only where it promises to
// settle the matter. Proof: docs/proofs/chernoff.md#chernoff, docs/proofs/chernoff.md#ceiling
#pragma once

#include <optional>

#include "accountants/accountant.hpp"
#include "accountants/query.hpp"

namespace plaudit {

/// A moment of a composition: what a run that continues it need not compute again.
struct KnownMoment {
  double order;
  Ball log_mgf;
};

/// A band of the number that is asked for whose upper end is at most x, an exact ball; nothing
/// where one moment does not show that. @param used gets the moment.
std::optional<Enclosure> moment_ceiling(const ComposedLoss& loss, Quantity quantity,
                                        const Rational& argument, const Ball& x,
                                        std::optional<KnownMoment>* used = nullptr);

/// The same by a moment that is known already, whatever made its order, and by no other bound.
std::optional<Enclosure> ceiling_by(const KnownMoment& moment, const ComposedLoss& loss,
                                    Quantity quantity, const Rational& argument, const Ball& x);

/// The moment of a composition that has these terms more.
KnownMoment with_terms(KnownMoment moment, const std::vector<ComposedLoss::Term>& more,
                       double steps);

}  // namespace plaudit
