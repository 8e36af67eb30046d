// The bent contour in plain floating point: what a candidate set of parameters would cost and
// achieve. Mirrors mechanisms/bent/bent_boxes.cpp and accountants/bent/bent_contour.cpp; heuristics
// only.
#pragma once

#include <complex>
#include <limits>
#include <vector>

#include "accountants/bent/bent_problem.hpp"

namespace plaudit {

/// One factor in the variable v (see mechanisms/bent/bent_path.hpp).
struct FactorModel {
  FactorModel(const GaussianMixture& mixture, double count_);

  double count, sigma, origin, lambda, least_rate = 1, dominance = 0;
  std::vector<double> rate, offset;

  std::complex<double> log_ratio(std::complex<double> v) const;
  double excess(double v) const;
  double remainder(double v) const;
  /// log At(w) and At(w) - 1 for real w, by a sum over the real line.
  struct Moment {
    double logarithm, minus_one;
  };
  Moment moment(double w) const;
};

class BentModel {
 public:
  BentModel(const BentProblem& problem, double epsilon);

  const std::vector<FactorModel>& factors() const { return factors_; }
  bool removes() const { return removes_; }
  double kappa() const { return kappa_; }
  double prefix() const { return prefix_; }
  double gaussian() const { return gaussian_; }
  bool has_gaussian() const { return has_gaussian_; }
  /// log of |integrand| on the real axis at this distance from the pole (with 1 subtracted where
  /// that is smaller), and the saddle-point estimate of log delta.
  double log_integrand(double distance) const;
  double log_delta(double* best_distance) const;

  /// Sums over paths in how many parts: a search can do with few.
  enum class Detail { coarse, fine };
  /// Completes the candidate to a plan with its predicted cost; infeasible ones cost infinity.
  BentPlan complete(const BentCandidate& candidate, const BentGoal& goal, Detail detail) const;

 private:
  std::vector<FactorModel> factors_;
  double gaussian_, kappa_, prefix_;  // prefix: log of the factor before the integral
  bool has_gaussian_;                 // exact: a mean far below double's range is one
  bool removes_;
};

}  // namespace plaudit
