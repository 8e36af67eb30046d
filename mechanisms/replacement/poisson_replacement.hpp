// The privacy loss of a Gaussian on a Poisson sample when a record is replaced by another.
//
// (1-q) N(0, sigma^2) + q N(s/2, sigma^2) against (1-q) N(0, sigma^2) + q N(-s/2, sigma^2), where a
// record contributes at most s/2 and q is the rate: attained where the record points one way and
// the other one the opposite way. At rate 1 that is N(s, sigma^2) against N(0, sigma^2). Proof:
// docs/proofs/poisson_adjacencies.md#replace
#pragma once

#include <memory>

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// @param sensitivity s > 0: what replacing a record moves the sum by, at most. @param rate in (0,
/// 1].
std::shared_ptr<const PrivacyLoss> poisson_replacement_loss(const Rational& sigma,
                                                            const Rational& sensitivity,
                                                            const Rational& rate);

}  // namespace plaudit
