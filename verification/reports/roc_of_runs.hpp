// The picture of what was observed in many runs: limits of the rates of the test against the most
// that the claim allows, in the direction `remove`.
#pragma once

#include <vector>

#include "accountants/session/answer.hpp"
#include "verification/observe/observation.hpp"
#include "verification/pictures/roc_picture.hpp"

namespace plaudit {

/// @param rates limits that hold together at the level, at one threshold or at all of them
/// @param options its time is for all of it
pictures::RocPicture roc_of_runs(const Composition& claim, const std::vector<RateLimits>& rates,
                                 const Rational& level, const AnswerOptions& options);

}  // namespace plaudit
