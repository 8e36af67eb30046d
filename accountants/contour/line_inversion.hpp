// Where the middle of a line's values crosses a delta: the point next to which its certified
// crossing is looked for. It enters no bound.
#pragma once

#include "accountants/contour/straight_contour.hpp"

namespace plaudit {

/// By Newton's rule in floating point, then by the secant rule in balls; the guess itself where
/// that leads nowhere. @param slope about -d log delta / d epsilon at the guess.
Ball root_of_line(const StraightContour& line, const Rational& delta, double guess, double slope,
                  int digits);

}  // namespace plaudit
