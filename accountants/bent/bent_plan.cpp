#include "accountants/bent/bent_plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <stdexcept>

#include "accountants/bent/bent_model.hpp"
#include "lib/constants.hpp"

namespace plaudit {

namespace {

constexpr double steepest_angle = 0.77;   ///< of a path: its slope stays below 1
constexpr double worth_a_change = 0.999;  ///< of the cost of the best plan

// Where the search starts, and the parameters that all starts share.
constexpr double angles_tried[] = {0.25, 0.12};
constexpr double rises_tried[] = {1.45, 1.1, 0.8, 0.45};
constexpr double first_scale = 2.5;  ///< in distances from the pole
constexpr double first_width_ratio = 0.9;
constexpr double first_angle_gap = 0.12;  ///< between the path far right and the outer hyperbola
constexpr double first_knee = 0.5;        ///< beyond the dominance of the top component
constexpr double first_half_width = 0.6;  ///< in rises
constexpr double first_bend_excess = 0.05;

// How it goes on: first steps, by what they grow on success and shrink on failure, and the part of
// them at which it ends.
constexpr double steps_of_hyperbola[] = {0.4, 0.4, 0.05, -0.05};
constexpr double steps_of_path[] = {0.15, 0.3, 0.3, 0.1, 0.5};
constexpr double growth_of_step = 1.4;
constexpr double shrinkage_of_step = 0.45;
constexpr double smallest_step = 0.05;

constexpr int most_fine_plans = 4;
constexpr double as_predicted = 1.5;  ///< what a fine plan may cost beside the coarse one

// A candidate costs about 0.25 ms: search no longer than what there is to gain.
constexpr double seconds_of_candidate = 0.00025;
constexpr double seconds_of_first_search = 0.003;  ///< where none went before
constexpr double share_for_search = 0.25;          ///< of what the best plan costs

/// The search runs over an unconstrained vector: four numbers of the hyperbola, five per path.
BentCandidate candidate_of(const std::vector<double>& u) {
  BentCandidate c;
  c.distance = std::exp(u[0]);
  c.scale = std::exp(u[1]);
  c.angle = u[2];
  c.width_ratio = u[3];
  for (std::size_t i = 4; i + 5 <= u.size(); i += 5) {
    BentShape s{};
    s.rise = u[i];
    s.slope =
        std::tan(std::min(c.angle * (1 + c.width_ratio) + std::exp(u[i + 1]), steepest_angle));
    s.knee = u[i + 2];
    s.half_width = u[i] * u[i + 3];
    s.bend = 2 * s.half_width / std::numbers::pi * (1 + std::exp(u[i + 4]));
    c.shapes.push_back(s);
  }
  return c;
}

struct Search {
  const BentModel& model;
  BentGoal goal;
  int left;
  BentPlan best;
  std::vector<std::vector<double>> places = {};  ///< of all that were best

  bool attempt(const std::vector<double>& u) {
    --left;
    BentPlan plan = model.complete(candidate_of(u), goal, BentModel::Detail::coarse);
    if (!plan.feasible || (best.feasible && plan.seconds >= worth_a_change * best.seconds)) {
      return false;
    }
    best = std::move(plan);
    best.place = u;
    places.push_back(u);
    return true;
  }

  void try_starts() {
    double saddle = 1;
    model.log_delta(&saddle);
    for (const double rise : rises_tried) {
      if (best.feasible) break;  // a lower path costs more points
      for (const double distance : {std::min(saddle, 1.0), saddle}) {
        for (const double angle : angles_tried) {
          std::vector<double> u{std::log(distance), std::log(first_scale * distance), angle,
                                first_width_ratio};
          for (const FactorModel& factor : model.factors()) {
            for (const double x : {rise, std::log(first_angle_gap), first_knee + factor.dominance,
                                   first_half_width, std::log(first_bend_excess)}) {
              u.push_back(x);
            }
          }
          attempt(u);
        }
      }
    }
  }
};

}  // namespace

double estimate_log_delta(const BentProblem& problem, double epsilon) {
  return BentModel(problem, epsilon).log_delta(nullptr);
}

BentPlan replan_bent_contour(const BentProblem& problem, double epsilon, const BentGoal& goal,
                             const BentPlan& former) {
  BentPlan plan =
      BentModel(problem, epsilon).complete(former.candidate, goal, BentModel::Detail::fine);
  plan.place = former.place;
  return plan;
}

BentPlan plan_bent_contour(const BentProblem& problem, double epsilon, const BentGoal& goal,
                           int effort, const BentPlan* start) {
  const BentModel model(problem, epsilon);
  Search search{model, goal, effort, {}};
  search.best.seconds = infinity;
  if (start != nullptr && !start->place.empty()) search.attempt(start->place);
  if (!search.best.feasible) search.try_starts();
  if (!search.best.feasible) return search.best;
  // Hooke-Jeeves: each coordinate in turn, steps that grow on success and shrink on failure
  std::vector<double> steps(std::begin(steps_of_hyperbola), std::end(steps_of_hyperbola));
  for (std::size_t i = 0; i < model.factors().size(); ++i) {
    for (const double s : steps_of_path) steps.push_back(s);
  }
  const std::vector<double> first_steps = steps;
  const double in_any_case = start == nullptr ? seconds_of_first_search : 0;
  const auto worthwhile = [&] {
    return search.left > 0 && (effort - search.left) * seconds_of_candidate <
                                  in_any_case + share_for_search * search.best.seconds;
  };
  while (worthwhile()) {
    bool small = true;
    for (std::size_t i = 0; i < steps.size() && worthwhile(); ++i) {
      bool success = false;
      for (int side = 0; side < 2 && !success && worthwhile(); ++side) {
        std::vector<double> u = search.best.place;
        u[i] += side == 0 ? steps[i] : -steps[i];
        success = search.attempt(u);
        if (success && side == 1) steps[i] = -steps[i];
      }
      steps[i] *= success ? growth_of_step : shrinkage_of_step;
      small = small && std::fabs(steps[i]) < smallest_step * std::fabs(first_steps[i]);
    }
    if (small) break;
  }
  // what few cells overlook is seen by many: then one that was best before
  BentPlan plan;
  plan.seconds = infinity;
  for (int tries = 0; tries < most_fine_plans && !search.places.empty(); ++tries) {
    const std::vector<double> place = std::move(search.places.back());
    search.places.pop_back();
    BentPlan fine = model.complete(candidate_of(place), goal, BentModel::Detail::fine);
    if (!(fine.seconds < plan.seconds)) continue;
    plan = std::move(fine);
    plan.place = place;
    if (plan.seconds < as_predicted * search.best.seconds) break;
  }
  return plan.feasible ? plan : search.best;
}

}  // namespace plaudit
