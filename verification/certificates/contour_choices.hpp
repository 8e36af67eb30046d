// What a certificate says of one straight contour that was chosen in floating point
// (docs/certificates/straight.md, Choices). Nothing here is trusted.
#pragma once

#include "accountants/cumulant_table.hpp"
#include "accountants/line_sweep.hpp"
#include "accountants/straight_choice.hpp"
#include "verification/certificates/question.hpp"

namespace plaudit {

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
