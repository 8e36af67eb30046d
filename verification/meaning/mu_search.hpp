// The least mu of one direction by a search: every certified test bounds mu from below, and a
// polygon of lines below the trade-off function, refined where it is worst, bounds it from above.
// Proof: docs/proofs/gaussian_dp.md#least-mu
#pragma once

#include <functional>
#include <optional>

#include "verification/meaning/gaussian_mu.hpp"
#include "verification/meaning/trade_off.hpp"

namespace plaudit {

constexpr long bits_of_mu = 800;

/// z(fpr) - Phi^-1(fnr): the mu whose curve passes there. +inf where fnr may be 0 or less.
Ball mu_at(const Ball& fpr, const Ball& fnr);

/// To so many digits of the upper one.
bool are_near(const Ball& lower, const Ball& upper, int digits);

/// @param proven hears of the band each time that more is proven; may be empty. What ends the
///   search early is said in the band.
MuBand mu_by_search(TradeOff& trade, const ComposedLoss& loss, std::optional<Rational> least_error,
                    int digits, std::function<void(const MuBand&)> proven);

}  // namespace plaudit
