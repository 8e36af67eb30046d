// Aliases of Riemann sums of a tilted density: sum over m != 0 of |M(t + i (s + m D))|, where the
// distance d of the points of the sum makes the period D = 2 pi / d.
#pragma once

#include "mechanisms/composition.hpp"

namespace plaudit {

/// C with |M(t + i s)| <= C / s^4 for all s != 0, of one loss; +inf where no such bound is known.
Ball fourth_order_bound(const PrivacyLoss& loss, Direction direction, const Ball& t);

/// Upper bound of the sum, for every |s| <= s_max; +inf where D <= s_max. @param period D. @param
/// nats a choice: near the sum where that is above e^{-nats} M(t), of about that size otherwise.
/// Proof: docs/proofs/fourier.md#aliases
Ball alias_bound(const PrivacyLoss& loss, Direction direction, const Ball& t, const Ball& period,
                 const Ball& s_max, double nats);

}  // namespace plaudit
