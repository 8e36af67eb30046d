// Findings as pictures: one claim on a line, and the claims about one run on its curve.
#pragma once

#include <string>
#include <vector>

#include "verification/audit/audit.hpp"
#include "verification/pictures/claim_picture.hpp"

namespace plaudit {

/// The colour and the shape of a verdict.
pictures::Badge badge_of(Verdict verdict);

/// What is claimed and what is certified on one axis, as inline SVG; the frame contains both. Empty
/// where there is no number to draw.
std::string finding_picture(const Claim& claim, const Finding& finding);

/// The certified curve with the claims `members`, all on the same composition, as inline SVG in two
/// shapes: of class "wide", and of class "narrow" for phones. Labels are the places of the claims,
/// counted from 1. Empty where there is nothing that can be drawn.
std::string curve_picture(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                          const std::vector<std::size_t>& members, double timeout_seconds);

}  // namespace plaudit
