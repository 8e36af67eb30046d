// What the smoothed distance leaves free, in floating point: nothing here enters a bound.
#pragma once

#include <optional>

#include "accountants/saddle_point/smoothed_distance.hpp"

namespace plaudit {

/// A line on which the distance from the normal law, or from that with the first Edgeworth term,
/// should come out to a thousandth of it; nothing where the law has no spread or moments there.
std::optional<LineChoice> choose_line(const ComposedLoss& loss, double t, bool edgeworth);

/// Mean and variance of the form as on the line, and the third cumulant where `edgeworth`.
HermiteCoefficients choose_form(const TiltedLine& line, bool edgeworth);

/// The height at which the distance is about the least.
SmoothingHeight choose_height(const TiltedLine& line, const HermiteCoefficients& c);

}  // namespace plaudit
