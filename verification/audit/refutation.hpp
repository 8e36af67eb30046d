// The witness of a refutation: a point of the curve whose certified delta contradicts the claim.
#pragma once

#include <functional>
#include <optional>

#include "accountants/session/answer.hpp"
#include "verification/audit/finding.hpp"
#include "verification/claims/claim.hpp"

namespace plaudit {

/// What is asked for a witness; the answers stay valid until the next question.
struct Questions {
  std::function<const Answer&()> value;  ///< the claimed quantity
  std::function<const Answer&(const Rational& epsilon)> delta_at;
};

/// Nothing unless the numbers printed in it refute: delta_lower > claimed_delta, or delta_upper <
/// claimed_delta (at an epsilon below the claimed one <=), or the claimed number is none that the
/// quantity can have.
/// @param end the claimed end that is false: the exact number is above it, or (not `above`) below.
std::optional<Witness> refuting_witness(const Questions& questions, const Claim& claim,
                                        const Extended& end, bool above);

}  // namespace plaudit
