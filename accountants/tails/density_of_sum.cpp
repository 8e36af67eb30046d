#include "accountants/tails/density_of_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "accountants/fourier/density_aliases.hpp"
#include "accountants/tails/composed_tails.hpp"
#include "accountants/tails/spans.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// Choices: any of them is valid; with others the bound is greater, or takes longer.
constexpr int pieces_of_curvature = 96;    ///< of the integral, and one beyond them
constexpr double nats_of_curvature = 120;  ///< by which |M| has fallen where the pieces end
constexpr double next_height = 1.25;
constexpr double greatest_height = 1e200;
constexpr double accuracy_nats = 10;   ///< of a bound of |M|^n
constexpr int most_tries = 6;          ///< at the density of one point
constexpr int rough_density = 12;      ///< digits of the first one
constexpr int greatest_exponent = 24;  ///< orders t = 2^(k/2) are tried, k up to this
constexpr int least_exponent = -24;

/// The height where the product of the transforms is far below its value at t.
double far_height(const ComposedLoss& loss, double t) {
  double s = 1 / std::sqrt(std::max(loss.estimate_cumulant(t).variance, 1e-300));
  while (loss.estimate_log_decay(t, s) > -nats_of_curvature && s < greatest_height)
    s *= next_height;
  return s;
}

/// The order t >= 0 at which K(t) - t x is least, roughly.
double order_of_density(const ComposedLoss& loss, double x) {
  double best = 0;
  double least = loss.estimate_cumulant(0).value;
  for (int k = least_exponent; k <= greatest_exponent; ++k) {
    const double t = std::exp2(k / 2.0);
    const double value = loss.estimate_cumulant(t).value - t * x;
    if (!(value < least)) continue;
    least = value;
    best = t;
  }
  return best;
}

}  // namespace

// Proof: docs/proofs/tails.md#density
Ball curvature_bound(const ComposedLoss& loss, const Ball& t, double height) {
  std::size_t falling = loss.terms().size();
  Ball fourth = positive_infinity();
  for (std::size_t i = 0; i < loss.terms().size(); ++i) {
    const Ball one = fourth_order_bound(*loss.terms()[i].loss, loss.direction(), t);
    if (!certainly_less(one, fourth)) continue;
    fourth = one;
    falling = i;
  }
  if (falling == loss.terms().size()) return positive_infinity();
  const Ball width = Ball(height) / Ball(pieces_of_curvature);
  Ball sum;
  for (int piece = 0; piece <= pieces_of_curvature; ++piece) {
    check_work_limit();
    const Ball from = width * Ball(piece);
    Ball log_product;
    Ball of_falling;
    for (std::size_t i = 0; i < loss.terms().size(); ++i) {
      const ComposedLoss::Term& term = loss.terms()[i];
      const double nats = std::log(static_cast<double>(term.count)) + accuracy_nats;
      const Ball bound = term.loss->mgf_bound_beyond(t, from.lower(), nats);
      log_product += Ball(term.count) * log(bound);
      if (i == falling) of_falling = bound;
    }
    const Ball product = exp(log_product);
    if (piece < pieces_of_curvature) {
      sum += PLAUDIT_BOUND("tails.curvature_pieces",
                           width * product * (square(t) + square(from + width)), Ball(0));
    } else {
      sum += PLAUDIT_BOUND(
          "tails.curvature_beyond",
          product / of_falling * fourth * (square(t) / (Ball(3) * power(from, 3)) + Ball(1) / from),
          Ball(0));
    }
  }
  const Ball bound = sum / pi();
  return bound.is_finite() ? bound.upper() : positive_infinity();
}

// Proof: docs/proofs/tails.md#density
std::optional<Span> ComposedTails::density(const Rational& x, int digits) {
  const double near = estimate(x);
  const double order = order_of_density(loss_, near);
  const Ball t(order);
  const Ball curvature = curvature_bound(loss_, t, far_height(loss_, order));
  if (!curvature.is_finite()) return std::nullopt;
  const CumulantEstimate law = loss_.estimate_cumulant(order);
  const double log_tail = law.value - order * near;  // Chernoff's bound of the tail
  double log_density = log_tail - std::log(2 * std::numbers::pi * law.variance) / 2;
  // The first try is coarse: a limit of time that ends a finer one then leaves an answer.
  double wanted = std::min(digits, rough_density) + 1;
  Span best{Ball(0), positive_infinity()};
  for (int i = 0; i < most_tries; ++i) {
    const double log_curvature = curvature.estimate_log() - order * near;
    const double log_width = (std::log(6) - wanted * log_ten + log_density - log_curvature) / 2;
    const Rational w = step_of(log_width);
    // digits that cancel in the difference of the two tails
    const double lost = (std::min(0.0, log_tail) - log_density - log_width) / log_ten;
    const int asked = static_cast<int>(
        clamped_integer(std::ceil(wanted + 1 + std::max(0.0, lost)), 5, most_digits));
    const PrecisionScope scope(bits_of_tail_digits(2 * asked));
    const Span left = at(Rational(x - w), asked).p_above;
    const Span right = at(Rational(x + w), asked).p_above;
    const Ball twice(Rational(2 * w));
    const Ball error = PLAUDIT_BOUND(
        "tails.density", square(Ball(w)) / Ball(6) * curvature * exp(-t * Ball(Rational(x - w))),
        Ball(0));
    intersect(best, {max(Ball(0), (left.lower - right.upper) / twice - error).lower(),
                     ((left.upper - right.lower) / twice + error).upper()});
    const int missing = missing_digits(best, digits);
    if (missing == 0) break;
    if (certainly_positive(best.lower)) log_density = best.lower.estimate_log();
    wanted = certainly_positive(best.lower) ? wanted + missing + 1 : 2 * wanted;
  }
  return best;
}

}  // namespace plaudit
