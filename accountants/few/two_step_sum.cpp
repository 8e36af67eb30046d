#include "accountants/few/two_step_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

const ErrorTerm two_steps_quadrature{"two_steps.quadrature", "docs/proofs/few_steps.md#two-steps"};
const ErrorTerm two_steps_tails{"two_steps.tails", "docs/proofs/few_steps.md#two-steps"};

namespace {

constexpr double most_points_of_sum = 100000;
constexpr int widths_tried = 60;         ///< half widths of the strip, of which the best is taken
constexpr double spare_nats_of_sum = 3;  ///< of each error
constexpr double farthest_end = 700;     ///< of v: e^{-700} is still a double
constexpr int halvings_of_end = 40;

double phi_below(double y) { return 0.5 * std::erfc(-y / std::numbers::sqrt2); }

/// s log(x / odds) + 1 / (2 s), from log x.
struct StepBalls {
  explicit StepBalls(const SampledGaussian& step)
      : noise(step.noise),
        odds(Rational(step.rate / (1 - step.rate))),
        log_odds(log(odds)),
        rate(Ball(1) / noise) {}

  Ball y(const Ball& log_x) const { return noise * (log_x - log_odds) + ldexp(rate, -1); }

  Ball noise;
  Ball odds;
  Ball log_odds;
  Ball rate;  ///< 1 / noise
};

}  // namespace

std::optional<SampledGaussian> SampledGaussian::of(const PrivacyLoss& loss) {
  const GaussianMixture* mixture = loss.facts().gaussian_mixture;
  if (mixture == nullptr || loss.facts().cut || mixture->sensitivities.size() != 2 ||
      mixture->sensitivities[0] != 0) {
    return std::nullopt;
  }
  return SampledGaussian{Rational(mixture->sigma / mixture->sensitivities[1]),
                         mixture->probabilities[1]};
}

TwoStepSum::TwoStepSum(SampledGaussian first, SampledGaussian second)
    : first_(std::move(first)),
      second_(std::move(second)),
      lift_(1 / ((1 - first_.rate) * (1 - second_.rate))) {
  const auto constants = [](const SampledGaussian& step) {
    const double noise = plaudit::estimate(step.noise);
    const double log_odds = estimate_log(Rational(step.rate / (1 - step.rate)));
    return Constants{noise, std::exp(log_odds), log_odds, 0.5 / noise};
  };
  rough_first_ = constants(first_);
  rough_second_ = constants(second_);
}

TwoStepPlan TwoStepSum::plan(double b, double nats) const {
  nats += spare_nats_of_sum;
  const double square_noise =
      rough_first_.noise * rough_first_.noise + rough_second_.noise * rough_second_.noise;
  TwoStepPlan result{};
  for (int i = 1; i < widths_tried; ++i) {
    const double width = std::numbers::pi / 2 * i / widths_tried;
    const double norm = square_noise * width * width / 2 - std::log(std::cos(width)) +
                        std::log1p(rough_second_.odds);
    const double step = 2 * std::numbers::pi * width / (nats + log_two + norm);
    if (step > result.step) result = {width, short_double(step), 0, 0};
  }
  // Left: Phi(y_1(X)) at the outermost point, where -s y_1 >= e^v has to hold too.
  const double log_b = std::log(b);
  const double y_left = -std::sqrt(2 * nats);
  const double log_x =
      rough_first_.log_odds + (y_left - rough_first_.half_rate) / rough_first_.noise;
  double left = log_x < log_b ? log_x - log_b - std::log(-std::expm1(log_x - log_b)) : 0;
  const auto rises = [&](double v) {
    const double y = rough_first_.y(log_b - std::log1p(std::exp(-v)));
    return -rough_first_.noise * y >= 1.01 * std::exp(v);
  };
  while (!rises(left) && left > -farthest_end) left -= 1;
  // Right: e^{-v} Phi(y_2(b')).
  const auto missing = [&](double v) {
    const double log_rest = log_b - std::log1p((1 + b) * std::exp(std::min(v, farthest_end)));
    return std::log(rough_first_.noise) - log_sqrt_two_pi - v +
           std::log(phi_below(rough_second_.y(log_rest)) + 1e-300);
  };
  double low = left;
  double right = left + 1;
  for (double reach = 2; missing(right) > -nats && right < farthest_end; reach *= 2) {
    right = left + reach;
  }
  for (int i = 0; i < halvings_of_end && right - low > result.step; ++i) {
    const double middle = (low + right) / 2;
    (missing(middle) > -nats ? low : right) = middle;
  }
  if (!((right - left) / result.step < most_points_of_sum)) {
    throw std::domain_error("two_steps: the sum would need too many points");
  }
  result.first = clamped_integer(std::floor(left / result.step), -most_index, most_index);
  result.last = clamped_integer(std::ceil(right / result.step), -most_index, most_index);
  return result;
}

// Proof: docs/proofs/few_steps.md#two-steps
Ball TwoStepSum::value(const Ball& b, const TwoStepPlan& plan, const Ball& error_scale,
                       Ledger& ledger) const {
  if (certainly_less_equal(b, Ball(0))) return Ball(0);
  const StepBalls one(first_);
  const StepBalls two(second_);
  if (!certainly_positive(b)) {  // 0 <= g <= Phi(y_1(b)), which rises with b
    return hull(Ball(0), normal_cdf(one.y(log(b.upper()))).upper());
  }
  const Ball log_b = log(b);
  const Ball step(plan.step);
  const Ball growth = exp(step);
  const Ball start = exp(step * Ball(plan.first));

  Ball sum;
  Ball e = start;  // e^v
  Ball last_rest;  // y_2 at the last point
  for (long j = plan.first; j <= plan.last; ++j, e *= growth) {
    check_work_limit();
    const Ball y = one.y(log_b - log1p(Ball(1) / e));
    const Ball rest = b / (Ball(1) + (Ball(1) + b) * e);
    const Ball at = two.y(log(rest));
    const Ball h =
        (rest * normal_cdf(at) - two.odds * normal_cdf(at - two.rate)) / (Ball(1) + rest);
    sum += normal_density(y) * h / (Ball(1) + e);
    if (j == plan.last) last_rest = at;
  }
  sum *= step * one.noise;

  // N(theta) = (1 + odds_2) e^{(s_1^2 + s_2^2) theta^2 / 2} / cos theta
  const Ball width(plan.half_width);
  const Ball cosine = cos(width);
  Ball quadrature = positive_infinity();
  if (certainly_positive(cosine) && certainly_less(width, ldexp(pi(), -1))) {
    const Ball rise = exp(ldexp((square(one.noise) + square(two.noise)) * square(width), -1));
    const Ball norm =
        (Ball(1) + two.odds) * PLAUDIT_BOUND("two_steps.strip_norm", rise / cosine, Ball(0.5));
    quadrature = strip_trapezoid_error(norm, norm, width, step);
  }
  // Left: Phi(y_L), as the summands rise up to there. Right: e^{-v} falls, Phi(y_2(b')) falls.
  Ball tails = positive_infinity();
  const Ball y_left = one.y(log_b - log1p(Ball(1) / start));
  const bool falls_to_the_left = certainly_greater_equal(-one.noise * y_left, start);
  if (falls_to_the_left && plan.first <= plan.last) {
    const Ball last = exp(step * Ball(plan.last));
    const Ball right = one.noise * normal_cdf(last_rest) / (sqrt(ldexp(pi(), 1)) * last);
    tails = PLAUDIT_BOUND("two_steps.left_tail", normal_cdf(y_left), Ball(0)) +
            PLAUDIT_BOUND("two_steps.right_tail", right, Ball(0));
  }
  const Ball errors = ledger.add(two_steps_quadrature, error_scale * quadrature) +
                      ledger.add(two_steps_tails, error_scale * tails);
  return clipped_nonnegative(widened(sum, errors / error_scale));
}

/// g(b), or E((1 + u_1)(1 + u_2) / (1 + b) - 1)_+.
double TwoStepSum::estimate(double b, const TwoStepPlan& plan, bool above) const {
  const double log_b = std::log(b);
  const Constants& one = rough_first_;
  const Constants& two = rough_second_;
  double sum = 0;
  for (long j = plan.first; j <= plan.last; ++j) {
    const double e = std::exp(plan.step * static_cast<double>(j));
    const double y = one.y(log_b - std::log1p(1 / e));
    const double rest = b / (1 + (1 + b) * e);
    const double at = two.y(std::log(rest));
    const double shifted = at - 2 * two.half_rate;
    const double h = above ? two.odds * phi_below(-shifted) - rest * phi_below(-at)
                           : rest * phi_below(at) - two.odds * phi_below(shifted);
    sum += std::exp(-y * y / 2 - log_sqrt_two_pi) * h / ((1 + rest) * (1 + e));
  }
  sum *= plan.step * one.noise;
  if (!above) return sum;
  // Beyond the last point X is b and what the second step has to give is 0.
  const double y = one.y(log_b);
  sum += plan.step * one.noise * two.odds * std::exp(-y * y / 2 - log_sqrt_two_pi) *
         std::exp(-plan.step * static_cast<double>(plan.last)) / std::expm1(plan.step);
  // Where the first step alone is above b.
  return sum + ((two.odds - b) * phi_below(-y) +
                (1 + two.odds) * one.odds * phi_below(2 * one.half_rate - y)) /
                   (1 + b);
}

double TwoStepSum::estimate_log_below(double b, const TwoStepPlan& plan) const {
  return std::log(std::max(0.0, estimate(b, plan, false)));
}

double TwoStepSum::estimate_log_above(double b, const TwoStepPlan& plan) const {
  return std::log(std::max(0.0, estimate(b, plan, true)));
}

}  // namespace plaudit
