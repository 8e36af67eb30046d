// One attempt at a plan for a hyperbola: from free parameters to complete choices, their errors and
// their cost, in floating point.
#pragma once

#include <vector>

#include "accountants/plan/hyperbola_plan.hpp"
#include "accountants/plan/mixture_model.hpp"

namespace plaudit {

class HyperbolaModel {
 public:
  HyperbolaModel(const proof::HyperbolaLaw& law, const HyperbolaGoal& goal);

  const std::vector<MixtureModel>& mixtures() const { return mixtures_; }
  const HyperbolaGoal& goal() const { return goal_; }
  double kappa() const { return kappa_; }
  bool removes() const { return removes_; }
  bool has_gaussian() const { return has_gaussian_; }
  double mean() const { return mean_; }  ///< of all Gaussian factors

  /// `place`: log distance of the crossing from the pole, log scale, angle, strip / angle; for each
  /// mixture, in units of v, its rise, log of the tilt's angle beyond the hyperbola's, knee beyond
  /// the dominance, strip / rise, log of the bend beyond the least, log accuracy.
  enum class Detail { coarse, fine };  ///< a search can do with few arcs and cells
  HyperbolaPlan complete(const std::vector<double>& place, Detail detail) const;

 private:
  std::vector<MixtureModel> mixtures_;
  HyperbolaGoal goal_;
  bool removes_;
  bool has_gaussian_;  ///< exact: a mean far below double's range is one
  double mean_ = 0, kappa_ = 0;
};

}  // namespace plaudit
