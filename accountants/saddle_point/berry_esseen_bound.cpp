#include "accountants/saddle_point/berry_esseen_bound.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr long least_moment_bits = 44;
constexpr long more_tilt_bits = 64;  ///< than those of the moments of a step

// Shevtsova 2011 (identical summands), Tyurin 2009 (any).
const char* const identical_slope[] = {"0.33554", "0.3328"};
const char* const identical_shift[] = {"0.415", "0.429"};
const char* const any_slope = "0.5606";
const char* const printed_constant = "1.12";  ///< 2 x 0.56, which is not used in any band

/// sup |F - Phi| for n identical summands with rho = E|X|^3 / Var^{3/2}.
Ball identical_bound(const TiltedMoments& step, std::uint64_t count) {
  const Ball variance = step.variance();
  if (!certainly_positive(variance)) return positive_infinity();
  const Ball rho = step.third_absolute_upper / (variance * sqrt(variance));
  Ball best = positive_infinity();
  for (int i = 0; i < 2; ++i) {
    const Ball bound = Ball(parse_rational(identical_slope[i])) *
                       (rho + Ball(parse_rational(identical_shift[i]))) / sqrt(Ball(count));
    best = min(best, bound.upper()).upper();
  }
  return best;
}

}  // namespace

// Proof: docs/proofs/berry_esseen.md#distance
ComposedTilt composed_tilt(const ComposedLoss& loss, double t) {
  const CumulantEstimate near = loss.estimate_cumulant(t);
  const double spread = std::max(near.variance, 0.0);
  const double lift = 1 + std::fabs(t);
  const long bits =
      least_moment_bits + precision_bits(std::log2(1 + spread * lift * lift) +
                                         std::log2(1 + std::sqrt(loss.steps() * spread) * lift));
  ComposedTilt result;
  result.t = t;
  result.bits = bits + more_tilt_bits +
                precision_bits(std::log2(1 + loss.steps()) + std::log2(1 + std::fabs(near.value)));
  const PrecisionScope scope(result.bits);
  Ball third;  // of the summands that are not Gaussian
  Ball third_least;
  Ball one_by_one;  // sum over the kinds of summands, each with the constant for identical ones
  for (const ComposedLoss::Term& term : loss.terms()) {
    const TiltedMoments step = tilted_moments(*term.loss, t, bits);
    const Ball count(term.count);
    result.log_mgf += count * step.log_mgf;
    for (std::size_t k = 1; k <= TiltedMoments::orders; ++k) {
      result.cumulants[k] += count * step.cumulants[k];
    }
    if (term.loss->facts().gaussian_mean) continue;
    third_least += count * step.third_absolute_lower;
    third += count * PLAUDIT_BOUND("berry_esseen.third_moment", step.third_absolute_upper, Ball(0));
    one_by_one +=
        PLAUDIT_BOUND("berry_esseen.identical_steps", identical_bound(step, term.count), Ball(0));
  }
  const Ball variance = result.variance();
  if (!certainly_positive(variance) || !result.mean().is_finite() || !result.log_mgf.is_finite()) {
    throw std::domain_error("the variance of the tilted loss is not certainly positive");
  }
  const Ball together = Ball(parse_rational(any_slope)) * third / (variance * sqrt(variance));
  result.third_absolute = third.upper();
  result.third_absolute_least = third_least.lower();
  result.distance = Ball(1);
  for (const Ball& bound : {together, one_by_one}) {
    if (bound.is_finite()) result.distance = min(result.distance, bound.upper()).upper();
  }
  return result;
}

// Proof: docs/proofs/berry_esseen.md#normal-value
Ball normal_delta(const ComposedTilt& tilt, const Ball& epsilon) {
  const Ball t(tilt.t);
  const Ball& mean = tilt.mean();
  const Ball& variance = tilt.variance();
  const Ball root = sqrt(variance);
  const Ball near = mean - epsilon - t * variance;
  const Ball exponent = tilt.log_mgf - t * mean + ldexp(square(t) * variance, -1);
  // E[e^{-tX}; X > 0] and E[e^{-(t+1)X}; X > 0] for X = Z - eps
  const Ball second = exponent + epsilon - mean + (t + ldexp(Ball(1), -1)) * variance;
  return exp(exponent) * normal_cdf(near / root) -
         exp(second) * normal_cdf((near - variance) / root);
}

// Proof: docs/proofs/berry_esseen.md#band
Ball normal_error(const ComposedTilt& tilt, const Ball& epsilon) {
  const Ball t(tilt.t);
  Ball variation(1);
  if (tilt.t > 0) variation = ldexp(exp(log_chernoff_factor(t)), 1);
  return (variation * exp(tilt.log_mgf - t * epsilon) * tilt.distance).upper();
}

PrintedBounds printed_bounds(const ComposedTilt& tilt, const Ball& epsilon) {
  const Ball t(tilt.t);
  const Ball third = hull(tilt.third_absolute_least, tilt.third_absolute);
  const Ball common =
      exp(tilt.log_mgf - t * epsilon) * third / (tilt.variance() * sqrt(tilt.variance()));
  return {exp(-t * log1p(Ball(1) / t)) * common,
          Ball(parse_rational(printed_constant)) * exp(log_chernoff_factor(t)) * common};
}

// Proof: docs/proofs/berry_esseen.md#published
Ball published_error(const ComposedTilt& tilt, const Ball& epsilon) {
  const Ball t(tilt.t);
  const Ball& variance = tilt.variance();
  const Ball ratio = tilt.third_absolute / (variance * sqrt(variance));
  const Ball printed = exp(-t * log1p(Ball(1) / t));  // (t / (1 + t))^t
  const Ball proven = ldexp(Ball(parse_rational(any_slope)) * exp(log_chernoff_factor(t)), 1);
  return (exp(tilt.log_mgf - t * epsilon) *
          max(printed, PLAUDIT_BOUND("saddle_point.published_where_proven", proven, Ball(0))) *
          ratio)
      .upper();
}

const ComposedTilt* TiltTable::at(double t) {
  auto found = tilts_.find(t);
  if (found == tilts_.end()) {
    std::optional<ComposedTilt> tilt;
    try {
      tilt = composed_tilt(loss_, t);
    } catch (const std::domain_error&) {  // no band from this order
    }
    found = tilts_.emplace(t, std::move(tilt)).first;
  }
  return found->second ? &*found->second : nullptr;
}

}  // namespace plaudit
