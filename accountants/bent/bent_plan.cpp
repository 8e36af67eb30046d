#include "accountants/bent/bent_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "accountants/bent/bent_model.hpp"
#include "lib/constants.hpp"

namespace plaudit {

namespace {

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
    s.slope = std::tan(std::min(c.angle * (1 + c.width_ratio) + std::exp(u[i + 1]), 0.77));
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
  std::vector<double> where;

  bool attempt(const std::vector<double>& u) {
    --left;
    BentPlan plan = model.complete(candidate_of(u), goal);
    if (!plan.feasible || (best.feasible && plan.seconds >= 0.999 * best.seconds)) return false;
    best = std::move(plan);
    where = u;
    return true;
  }
};

}  // namespace

double estimate_log_delta(const BentProblem& problem, double epsilon) {
  return BentModel(problem, epsilon).log_delta(nullptr);
}

BentPlan replan_bent_contour(const BentProblem& problem, double epsilon, const BentGoal& goal,
                             const BentCandidate& candidate) {
  return BentModel(problem, epsilon).complete(candidate, goal);
}

BentPlan plan_bent_contour(const BentProblem& problem, double epsilon, const BentGoal& goal,
                           int effort) {
  const BentModel model(problem, epsilon);
  double saddle = 1;
  model.log_delta(&saddle);
  Search search{model, goal, effort, {}, {}};
  search.best.seconds = infinity;
  for (const double distance : {std::min(saddle, 1.0), saddle}) {
    for (const double angle : {0.25, 0.12}) {
      for (const double rise : {1.3, 0.8, 0.45}) {
        std::vector<double> u{std::log(distance), std::log(2.5 * distance), angle, 0.9};
        for (std::size_t i = 0; i < model.factors().size(); ++i) {
          for (const double x :
               {rise, std::log(0.12), 0.5 + model.factors()[i].dominance, 0.6, std::log(0.05)}) {
            u.push_back(x);
          }
        }
        search.attempt(u);
      }
    }
  }
  if (!search.best.feasible) return search.best;
  // Hooke-Jeeves: each coordinate in turn, steps that grow on success and shrink on failure
  std::vector<double> steps{0.4, 0.4, 0.05, -0.05};
  for (std::size_t i = 0; i < model.factors().size(); ++i) {
    for (const double s : {0.15, 0.3, 0.3, 0.1, 0.5}) steps.push_back(s);
  }
  const std::vector<double> first_steps = steps;
  // A candidate costs about 0.25 ms: search no longer than what there is to gain.
  const auto worthwhile = [&] {
    return search.left > 0 && (effort - search.left) * 0.00025 < 0.004 + 0.5 * search.best.seconds;
  };
  while (worthwhile()) {
    bool small = true;
    for (std::size_t i = 0; i < steps.size() && worthwhile(); ++i) {
      bool success = false;
      for (int side = 0; side < 2 && !success && worthwhile(); ++side) {
        std::vector<double> u = search.where;
        u[i] += side == 0 ? steps[i] : -steps[i];
        success = search.attempt(u);
        if (success && side == 1) steps[i] = -steps[i];
      }
      steps[i] *= success ? 1.4 : 0.45;
      small = small && std::fabs(steps[i]) < 0.05 * std::fabs(first_steps[i]);
    }
    if (small) break;
  }
  return search.best;
}

}  // namespace plaudit
