// Choice of parameters for the bent contour, in floating point. Nothing here enters a bound: the
// plan is verified and its errors are bounded in ball arithmetic by BentContour.
#pragma once

#include "accountants/bent/bent_problem.hpp"

namespace plaudit {

/// Saddle-point estimate of log(delta) at this epsilon.
double estimate_log_delta(const BentProblem& problem, double epsilon);

/// The cheapest plan found. `effort` is the number of candidates that may be tried. @param start
/// where to go on from, if an earlier search has found something.
BentPlan plan_bent_contour(const BentProblem& problem, double epsilon, const BentGoal& goal,
                           int effort, const BentPlan* start = nullptr);

/// The same contour and path for another goal.
BentPlan replan_bent_contour(const BentProblem& problem, double epsilon, const BentGoal& goal,
                             const BentPlan& former);

}  // namespace plaudit
