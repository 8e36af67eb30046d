// The certified curve of one composition with claims on it, as inline SVG.
#pragma once

#include <string>
#include <vector>

#include "verification/audit/audit.hpp"

namespace plaudit {

/// delta (logarithmic) over epsilon. The claims `members` are all on the same composition. Colours
/// come from the page's classes: curve, valid, tight, refuted, undecided. Empty where there is
/// nothing that can be drawn.
std::string curve_picture(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                          const std::vector<std::size_t>& members, double timeout_seconds);

}  // namespace plaudit
