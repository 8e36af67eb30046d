// The least mu of one direction by a search: every certified test bounds mu from below, and a
// polygon of lines below the trade-off function, refined where it is worst, bounds it from above.
// Proof: docs/proofs/gaussian_dp.md#least-mu
#pragma once

#include <functional>
#include <optional>

#include "verification/meaning/gaussian_mu.hpp"
#include "verification/meaning/trade_off.hpp"

namespace plaudit {

constexpr long bits_of_mu = 800;  ///< working precision of quantiles and lines

/// The mu of the G_mu that passes through (fpr, fnr): -Phi^-1(fpr) - Phi^-1(fnr). -inf where fnr is
/// at least 1, +inf where one of the rates may lie outside of (0, 1).
Ball mu_at(const Ball& fpr, const Ball& fnr);

/// Whether upper - lower is at most 10^-digits of upper.
bool are_near(const Ball& lower, const Ball& upper, int digits);

/// @param proven hears of the band each time that more is proven; may be empty. What ends the
///   search early is said in the band.
MuBand mu_by_search(TradeOff& trade, const ComposedLoss& loss, std::optional<Rational> least_error,
                    int digits, std::function<void(const MuBand&)> proven);

}  // namespace plaudit
