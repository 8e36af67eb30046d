#include "accountants/plan/hyperbola_plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "accountants/plan/hyperbola_model.hpp"

namespace plaudit {

namespace {

constexpr double worth_a_change = 0.999;  ///< of the cost of the best plan

// Where the search starts, and the parameters that all starts share.
constexpr double angles_tried[] = {0.25, 0.12};
constexpr double rises_tried[] = {1.45, 1.1, 0.8, 0.45};
constexpr double first_scale = 2.5;          ///< in distances from the pole
constexpr double first_strip = 0.85;         ///< in angles
constexpr double first_angle_gap = 0.12;     ///< between the path far right and the outer hyperbola
constexpr double first_knee = 0.5;           ///< beyond the dominance of the top component
constexpr double first_strip_of_path = 0.6;  ///< in rises
constexpr double first_bend_excess = 0.05;
constexpr double accuracies_tried[] = {0.12, 0.04};
constexpr double farthest_saddle = 1e6;
constexpr double nearest_saddle = 1e-3;

// How it goes on: first steps, by what they grow on success and shrink on failure, and the part of
// them at which it ends.
constexpr double steps_of_hyperbola[] = {0.4, 0.4, 0.05, -0.05};
constexpr double steps_of_path[] = {0.15, 0.3, 0.3, 0.1, 0.5, 0.3};
constexpr double growth_of_step = 1.4;
constexpr double shrinkage_of_step = 0.45;
constexpr double smallest_step = 0.05;

constexpr int most_fine_plans = 4;
constexpr double as_predicted = 1.5;  ///< what a fine plan may cost beside the coarse one

// A search no longer than what there is to gain.
constexpr double seconds_of_candidate = 0.00025;
constexpr double seconds_of_first_search = 0.003;  ///< where none went before
constexpr double share_for_search = 0.25;          ///< of what the best plan costs

class Search {
 public:
  Search(const HyperbolaModel& model, int effort) : model_(model), effort_(effort), left_(effort) {}

  std::vector<double> first_place(double distance, double angle, double rise,
                                  double accuracy) const {
    std::vector<double> place{std::log(distance), std::log(first_scale * distance), angle,
                              first_strip};
    for (std::size_t i = 0; i < model_.mixtures().size(); ++i) {
      place.insert(place.end(), {rise, std::log(first_angle_gap), first_knee, first_strip_of_path,
                                 std::log(first_bend_excess), std::log(accuracy)});
    }
    return place;
  }

  bool attempt(const std::vector<double>& place) {
    --left_;
    HyperbolaPlan plan = model_.complete(place, HyperbolaModel::Detail::coarse);
    if (!(plan.seconds < worth_a_change * best_.seconds)) return false;
    best_ = std::move(plan);
    places_.push_back(place);
    return true;
  }

  void try_starts() {
    const double saddle = std::clamp(model_.goal().saddle, nearest_saddle, farthest_saddle);
    for (const double rise : rises_tried) {
      for (const double accuracy : accuracies_tried) {
        if (found()) return;  // the starts that follow cost more points, or more pieces
        for (const double distance : {std::min(saddle, 1.0), saddle}) {
          for (const double angle : angles_tried)
            attempt(first_place(distance, angle, rise, accuracy));
        }
      }
    }
  }

  /// Hooke and Jeeves: each coordinate in turn, steps that grow on success and shrink on failure.
  void improve(double seconds_in_any_case) {
    std::vector<double> steps(std::begin(steps_of_hyperbola), std::end(steps_of_hyperbola));
    for (std::size_t i = 0; i < model_.mixtures().size(); ++i) {
      steps.insert(steps.end(), std::begin(steps_of_path), std::end(steps_of_path));
    }
    const std::vector<double> first_steps = steps;
    const auto worthwhile = [&] {
      return left_ > 0 && (effort_ - left_) * seconds_of_candidate <
                              seconds_in_any_case + share_for_search * best_.seconds;
    };
    while (worthwhile()) {
      bool small = true;
      for (std::size_t i = 0; i < steps.size() && worthwhile(); ++i) {
        bool success = false;
        for (int side = 0; side < 2 && !success && worthwhile(); ++side) {
          std::vector<double> place = best_.place;
          place[i] += side == 0 ? steps[i] : -steps[i];
          success = attempt(place);
          if (success && side == 1) steps[i] = -steps[i];
        }
        steps[i] *= success ? growth_of_step : shrinkage_of_step;
        small = small && std::fabs(steps[i]) < smallest_step * std::fabs(first_steps[i]);
      }
      if (small) break;
    }
  }

  bool found() const { return std::isfinite(best_.seconds); }

  /// The best plan with fine arcs and cells; an earlier one where those refuse it or make it dear.
  HyperbolaPlan fine() {
    HyperbolaPlan result;
    for (int tries = 0; tries < most_fine_plans && !places_.empty(); ++tries) {
      HyperbolaPlan plan = model_.complete(places_.back(), HyperbolaModel::Detail::fine);
      places_.pop_back();
      if (plan.seconds < result.seconds) result = std::move(plan);
      if (result.seconds < as_predicted * best_.seconds) break;
    }
    return result;
  }

 private:
  const HyperbolaModel& model_;
  int effort_, left_;
  HyperbolaPlan best_;
  std::vector<std::vector<double>> places_;  ///< of all that were best
};

}  // namespace

HyperbolaPlan plan_hyperbola(const proof::HyperbolaLaw& law, const HyperbolaGoal& goal, int effort,
                             const HyperbolaPlan* start) {
  const HyperbolaModel model(law, goal);
  Search search(model, effort);
  if (start != nullptr && !start->place.empty()) search.attempt(start->place);
  if (!search.found()) search.try_starts();
  if (search.found()) search.improve(start == nullptr ? seconds_of_first_search : 0);
  return search.fine();
}

HyperbolaPlan replan_hyperbola(const proof::HyperbolaLaw& law, const HyperbolaGoal& goal,
                               const HyperbolaPlan& former) {
  return HyperbolaModel(law, goal).complete(former.place, HyperbolaModel::Detail::fine);
}

}  // namespace plaudit
