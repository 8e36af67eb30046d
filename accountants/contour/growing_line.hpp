// The line of a run that goes on step by step: its nodes are multiplied by the values of the new
// steps alone, so that one more step costs no more than itself.
//
// The line was chosen for a run of fewer steps and has room for more: a longer period, and so more
// nodes, than that one needs. Every band is the certified one of the line for the whole run
// (straight_contour.hpp), whatever it was chosen for; where it is wide, another line is due.
#pragma once

#include <vector>

#include "accountants/contour/straight_contour.hpp"
#include "accountants/proof/kinds/line.hpp"

namespace plaudit {

class GrowingLine {
 public:
  /// A new one, with room. @param choices of the line that answered a question about this run, or
  /// about one with a few steps less. @param epsilon where it answered.
  GrowingLine(const ComposedLoss& loss, const proof::LineChoices& choices, double epsilon);
  /// The same line for a run with more steps. @param more loss.terms_beyond(that of `before`).
  GrowingLine(const GrowingLine& before, const ComposedLoss& loss,
              const std::vector<ComposedLoss::Term>& more);
  GrowingLine(const GrowingLine&) = delete;
  GrowingLine& operator=(const GrowingLine&) = delete;

  /// Narrow the band of delta at an epsilon, or of the epsilon of a delta in (0, 1).
  void narrow_delta(Enclosure& band, const Rational& epsilon);
  void narrow_epsilon(Enclosure& band, const Rational& delta, int digits);

  /// Heuristic: a line for the run as it is now would have far fewer nodes.
  bool outgrown() const;

 private:
  Enclosure at(const Ball& epsilon);

  ComposedLoss loss_;
  CumulantTable table_;
  StraightContour line_;
  double near_;         ///< the latest epsilon
  double steps_first_;  ///< steps of the run that the line was made for
};

}  // namespace plaudit
