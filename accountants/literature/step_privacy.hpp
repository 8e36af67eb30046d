// Each step of a composition as an (eps, delta)-private mechanism and nothing more: what advanced
// and optimal composition work on.
//
// For the pair of a direction and its swap, (eps, delta)-privacy in both directions is
//   D(e^eps) <= delta   and   1 - e^eps + e^eps D(e^-eps) <= delta,   D(e^x) = delta of the step at
//   x.
// Then the two-point law of (eps, delta) dominates the step. Steps that are two-point laws stay.
//
// For a Poisson sample of Gaussian noise there is also the way of the literature: the textbook's
// eps_0 = sqrt(2 log(1.25 / delta_0)) Delta / sigma of the noise at delta_0 = delta / rate, then
//   eps = log(1 + rate (e^{eps_0} - 1))   (amplified: the delta above is checked, so it is proven)
//   eps = rate eps_0                      (linear: no theorem, and false in general).
// Proof: docs/proofs/reference_methods.md#two-points, docs/proofs/reference_methods.md#steps,
// docs/proofs/reference_methods.md#amplified
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/balls/error_term.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

/// Where a step's (eps, delta) comes from.
enum class StepForm { exact, amplified, linear };

class StepPrivacy {
 public:
  /// Logarithms of the levels of delta that are looked at.
  static constexpr double highest_log_level = -0.1;
  static constexpr double lowest_log_level = -700;
  /// Where delta of the composition is given: from just below it over the steps, so many nats down.
  static constexpr double just_below = 1e-6;
  static constexpr double levels_searched = 30;

  explicit StepPrivacy(const ComposedLoss& loss, StepForm form = StepForm::exact);

  /// Why there are no such steps for this composition; nothing where there are.
  static std::optional<std::string> refusal(const ComposedLoss& loss, StepForm form);

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

  /// The two-point laws at that level, each delta bounded in balls and charged to the term. Of
  /// the linear form they are what is said of the steps, not what is proven.
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
  StepForm form_;
  bool given_;
};

}  // namespace plaudit
