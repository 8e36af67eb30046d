// What the smoothed distance leaves free, in floating point: nothing here enters a bound.
#pragma once

#include <optional>

#include "accountants/saddle_point/smoothed_distance.hpp"

namespace plaudit {

/// Edgeworth's terms: of the third cumulant, then of the fourth and the square of the third, then
/// of the fifth and what belongs to it.
constexpr int most_terms = 3;

/// A line from which the distance from the normal law, or from that with Edgeworth's terms, should
/// be known up to a small part of itself; nothing where the law has no spread or no moments there,
/// or where its values are too dear.
std::optional<LineChoice> choose_line(const ComposedLoss& loss, double t, bool edgeworth);

/// The form with the mean and the variance that the line shows and, with `edgeworth`, as many of
/// Edgeworth's terms as promise the least error.
struct ChosenForm {
  HermiteCoefficients coefficients;
  int terms;
};
ChosenForm choose_form(const TiltedLine& line, bool edgeworth);
/// The form with the mean and the variance that the line shows, and so many of Edgeworth's terms.
HermiteCoefficients form_with(const TiltedLine& line, int terms);

/// The height at which the distance is about the least.
SmoothingHeight choose_height(const TiltedLine& line, const HermiteCoefficients& c);

}  // namespace plaudit
