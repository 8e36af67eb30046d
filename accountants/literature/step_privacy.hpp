// Each step of a composition as an (eps, delta)-private mechanism and nothing more: what advanced
// and optimal composition work on.
//
// For the pair of a direction and its swap, (eps, delta)-privacy in both directions is
//   D(e^eps) <= delta   and   1 - e^eps + e^eps D(e^-eps) <= delta,   D(e^x) = delta of the step at
//   x.
// Then the two-point law of (eps, delta) dominates the step. Steps that are two-point laws stay.
// Proof: docs/proofs/reference_methods.md#two-points, docs/proofs/reference_methods.md#steps
#pragma once

#include <functional>
#include <vector>

#include "lib/balls/error_term.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

class StepPrivacy {
 public:
  /// Logarithms of the levels of delta that are looked at.
  static constexpr double highest_log_level = -0.1;
  static constexpr double lowest_log_level = -700;
  /// Of those below the delta of a whole composition: from just below, so many nats down.
  static constexpr double just_below = 1e-6;
  static constexpr double levels_searched = 30;

  explicit StepPrivacy(const ComposedLoss& loss);

  /// All steps are two-point laws: there is nothing to choose.
  bool is_given() const { return given_; }

  /// One kind of step, in floating point.
  struct Estimate {
    double epsilon;
    double delta;
    double count;
  };
  /// With each step's eps chosen so that its delta is about e^log_level.
  std::vector<Estimate> estimates(double log_level);

  /// The two-point laws at that level, each delta bounded in balls and charged to the term.
  ComposedLoss certified(double log_level, const ErrorTerm& term, Ledger& ledger);

  /// The level in [low, high] (logarithms) that minimises `cost` of the estimates; an infinite cost
  /// says nothing.
  double best_level(double low, double high,
                    const std::function<double(const std::vector<Estimate>&)>& cost);

  /// Number of steps whose (eps, delta) is to be chosen.
  double chosen_steps() const;

 private:
  double epsilon_at(const PrivacyLoss& loss, double log_level) const;

  ComposedLoss loss_;
  bool given_;
};

}  // namespace plaudit
