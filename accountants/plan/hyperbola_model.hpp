// One attempt at a plan for a hyperbola: from free parameters to complete choices, their errors and
// their cost, in floating point.
#pragma once

#include <complex>
#include <vector>

#include "accountants/plan/hyperbola_plan.hpp"

namespace plaudit {

/// One mixture: f/p_0 = 1 + sum e^{rate y + shift}, in doubles. At y = origin + v / rate the top
/// component is e^v.
struct MixtureModel {
  explicit MixtureModel(const proof::MixtureLaw& law);

  std::vector<double> rates, shifts;
  double loss;  ///< -log p_0
  double count;
  double dominance;  ///< the y beyond which the top component exceeds all the others together

  double rate() const { return rates.back(); }
  double excess(double y) const;
  double remainder(double y) const;
  std::complex<double> log_ratio(std::complex<double> y) const;
};

class HyperbolaModel {
 public:
  HyperbolaModel(const proof::HyperbolaLaw& law, const HyperbolaGoal& goal);

  const std::vector<MixtureModel>& mixtures() const { return mixtures_; }
  const HyperbolaGoal& goal() const { return goal_; }
  double kappa() const { return kappa_; }

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

  friend class HyperbolaAttempt;
};

}  // namespace plaudit
