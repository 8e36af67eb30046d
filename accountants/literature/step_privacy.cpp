#include "accountants/literature/step_privacy.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "accountants/literature/two_point_sum.hpp"
#include "lib/analysis/least_value.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

namespace {

constexpr double greatest_step_epsilon = 0x1p40;
constexpr int most_calls = 60;
constexpr double least_log = 1e9;  ///< in place of infinities: interpolation needs numbers
constexpr int grid_levels = 24;
constexpr int most_worse_levels = 6;     ///< in a row, after which the search among them ends
constexpr int refinements = 16;          ///< calls around the best one
constexpr double denser_above = 2.5;     ///< power by which the levels crowd towards the top
constexpr double costly_epsilon = 2000;  ///< beyond, delta of a step would take too many bits
constexpr double first_epsilon = 0.125;  ///< doubled until delta is below the level
constexpr double same_epsilon = 1e-5;    ///< relative

/// Encloses the least delta for which the step is (eps, delta)-private in both directions.
// Proof: docs/proofs/reference_methods.md#steps
Ball delta_of_step(const PrivacyLoss& loss, double epsilon) {
  const Ball at(epsilon);
  const Ball forth = loss.delta(at);
  const Ball back = exp(at) * loss.delta(-at) - expm1(at);
  return max(Ball(0), max(forth, back));
}

/// Enough for a delta of that size after the cancellation in `back`.
long bits_for(double epsilon, double log_level) {
  return 96 + precision_bits(1.5 * std::fabs(log_level) + 3 * epsilon);
}

/// The rate at which a record is drawn, and sigma of the noise over the record's contribution.
struct SampledNoise {
  double rate;
  double multiplier;
};

std::optional<SampledNoise> sampled_noise(const PrivacyLoss& loss) {
  const GaussianMixture* mixture = loss.facts().gaussian_mixture;
  if (mixture == nullptr) return std::nullopt;
  const std::size_t kinds = mixture->sensitivities.size();
  if (kinds > 2 || (kinds == 2 && mixture->sensitivities[0] != 0)) return std::nullopt;
  return SampledNoise{estimate(mixture->probabilities.back()),
                      estimate(Rational(mixture->sigma / mixture->sensitivities.back()))};
}

/// What the literature takes for the eps of a step at that delta.
// Proof: docs/proofs/reference_methods.md#amplified
double textbook_epsilon(const SampledNoise& noise, double log_level, StepForm form) {
  const double log_of_noise = log_level - std::log(noise.rate);  // log delta_0
  if (log_of_noise >= 0) return 0;
  const double epsilon = std::sqrt(2 * (std::log(1.25) - log_of_noise)) / noise.multiplier;
  return form == StepForm::linear ? noise.rate * epsilon
                                  : std::log1p(noise.rate * std::expm1(epsilon));
}

}  // namespace

StepPrivacy::StepPrivacy(const ComposedLoss& loss, StepForm form)
    : loss_(loss), form_(form), given_(only_two_points(loss)) {}

std::optional<std::string> StepPrivacy::refusal(const ComposedLoss& loss, StepForm form) {
  if (form == StepForm::exact) return std::nullopt;
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (term.loss->facts().two_points == nullptr && !sampled_noise(*term.loss)) {
      return "amplified steps are those of Gaussian noise, also on a Poisson sample";
    }
  }
  return std::nullopt;
}

double StepPrivacy::chosen_steps() const {
  double sum = 0;
  for (const ComposedLoss::Term& term : loss_.terms()) {
    if (term.loss->facts().two_points == nullptr) sum += static_cast<double>(term.count);
  }
  return sum;
}

// Heuristic: the least eps with delta below the level, to a few digits.
double StepPrivacy::epsilon_at(const PrivacyLoss& loss, double log_level) const {
  if (form_ != StepForm::exact) return textbook_epsilon(*sampled_noise(loss), log_level, form_);
  const auto excess = [&](double epsilon) {  // of log delta over the level
    check_work_limit();
    if (epsilon > costly_epsilon) return -least_log;
    const PrecisionScope scope(bits_for(epsilon, log_level));
    const Ball delta = delta_of_step(loss, epsilon);
    if (!delta.is_finite()) return least_log;
    return std::clamp(delta.upper().estimate_log() - log_level, -least_log, least_log);
  };
  if (excess(0) <= 0) return 0;
  double low = 0;
  double high = first_epsilon;
  double above = 1;  // signs suffice at the ends
  double below = excess(high);
  while (high < greatest_step_epsilon && below > 0) {
    low = high;
    above = below;
    below = excess(high *= 2);
  }
  if (!(below < 0)) return high;
  std::uintmax_t calls = most_calls;
  const auto close = [](double a, double b) { return b - a < same_epsilon * b; };
  return boost::math::tools::toms748_solve(excess, low, high, above, below, close, calls).second;
}

std::vector<StepPrivacy::Estimate> StepPrivacy::estimates(double log_level) {
  std::vector<Estimate> result;
  for (const ComposedLoss::Term& term : loss_.terms()) {
    const auto count = static_cast<double>(term.count);
    if (const TwoPointLoss* law = term.loss->facts().two_points) {
      result.push_back({law->epsilon_estimate(), estimate(law->mass()), count});
    } else {
      result.push_back({epsilon_at(*term.loss, log_level), std::exp(log_level), count});
    }
  }
  return result;
}

ComposedLoss StepPrivacy::certified(double log_level, const ErrorTerm& term, Ledger& ledger) {
  std::vector<ComposedLoss::Term> laws;
  for (const ComposedLoss::Term& step : loss_.terms()) {
    if (step.loss->facts().two_points != nullptr) {
      laws.push_back(step);
      continue;
    }
    const double epsilon = epsilon_at(*step.loss, log_level);
    const PrecisionScope scope(bits_for(epsilon, log_level));
    const Ball stated = form_ == StepForm::exact ? Ball(0) : Ball(std::exp(log_level));
    const Ball proven =
        form_ == StepForm::linear ? Ball(0) : charged(term, delta_of_step(*step.loss, epsilon));
    const Ball bound = max(stated, proven);
    ledger.note(term, Ball(step.count) * bound);
    // a delta of 1 or more says nothing; the law of delta < 1 next to it is not valid then
    const double delta = bound.is_finite() ? bound.upper_double() : 1.0;
    if (!(delta < 1)) throw std::domain_error("a step has no privacy at the eps chosen");
    laws.push_back({TwoPointLoss::of_epsilon(checked_rational(epsilon, "the eps of a step"),
                                             checked_rational(delta, "the delta of a step")),
                    step.count});
  }
  return {std::move(laws), loss_.direction()};
}

double StepPrivacy::best_level(double low, double high,
                               const std::function<double(const std::vector<Estimate>&)>& cost) {
  if (given_) return high;
  const auto at = [&](double level) { return cost(estimates(level)); };
  // denser towards the top, where a level of a common size of delta is found
  const auto level_at = [&](int i) {
    return high - (high - low) * std::pow(static_cast<double>(i) / grid_levels, denser_above);
  };
  int best = 0;
  double least = at(high);
  for (int i = 1; i <= grid_levels; ++i) {
    if (std::isfinite(least) && i - best > most_worse_levels) break;
    const double value = at(level_at(i));
    if (value < least) {
      least = value;
      best = i;
    }
  }
  const LeastValue found = least_value(level_at(std::min(best + 1, grid_levels)),
                                       level_at(std::max(best - 1, 0)), refinements, at);
  return found.value < least ? found.at : level_at(best);
}

}  // namespace plaudit
