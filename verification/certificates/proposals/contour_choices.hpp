// What a certificate says of one straight contour that was chosen in floating point
// (docs/certificates/straight.md, Choices). Nothing here is trusted.
#pragma once

#include "accountants/contour/straight_choice.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/sweep/line_sweep.hpp"
#include "verification/certificates/proposals/question.hpp"

namespace plaudit {

/// The checkers look at a range of its own as long as at so many blocks (measured 2026-11), and sum
/// at most 100000 nodes.
inline constexpr SweepLimits limits_of_sweeps{.refining = 20000, .most_summed = 90000};

struct ContourChoices {
  long bits;
  nlohmann::ordered_json choices;
};

/// @param loss the question's, perhaps changed, perhaps with further terms behind the run's.
/// @param sweep of the nodes beyond those of the choice, if any.
/// @throws std::invalid_argument where the contour is too long.
ContourChoices contour_choices(const StatementQuestion& question, const ComposedLoss& loss,
                               CumulantTable& table, const StraightChoice& choice,
                               const LineSweep* sweep = nullptr);

}  // namespace plaudit
