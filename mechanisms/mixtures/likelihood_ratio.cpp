// Notation: rates_ are a_i = c_i / sigma, increasing, probabilities_ are p_i and weights_ are w_i =
// p_i e^(-a_i^2 / 2), so that f(y) = sum w_i e^(a_i y); phi is the normal density, r a real power.
// A grid is y_j + i eta with y_j = j d.
//
// value and log_value sum all components. on_grid takes f as a polynomial in e^(unit y), by
// Horner's rule, where the rates are multiples of a unit (common_multiples): in blocks, without
// components that needed() shows to be small, and wider by what these may add. Otherwise it takes
// an exponential for each point and component. logs_on_grid is log f at eta = 0. Upper bounds:
// turn_factor is the least that Lemma 2 (i), (ii) and (iv) give, turn_angle of (iii) and (v),
// right_tail and left_tail of (3.T). A hypothesis that is not certain leaves the others, or +inf;
// but that a_max |eta| is below pi, which (iii) needs, is for callers of turn_angle to check.
#include "mechanisms/mixtures/likelihood_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/analysis/normal/normal_tail.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// On a grid f is a polynomial of this degree at most; where more would be needed, exponentials.
constexpr std::size_t greatest_multiple = 8192;

/// The values as multiples of their greatest common unit; nothing where one of them is too large.
std::vector<std::size_t> common_multiples(const std::vector<Rational>& values, Rational& unit) {
  unit = 0;
  for (const Rational& value : values) {
    if (value == 0) continue;
    unit = common_divisor(unit, value);
    if (value / unit > greatest_multiple) return {};
  }
  std::vector<std::size_t> multiples;
  for (const Rational& value : values) {
    const Rational multiple = value / unit;
    if (multiple > greatest_multiple) return {};
    multiples.push_back(numerator(multiple).to<std::size_t>());
  }
  return multiples;
}

constexpr ErrorTerm components_term{"mixture.components",
                                    "docs/proofs/straight_contour.md#components"};
/// Components are left out that make less than 2^(lost_bits - working precision) of f at an end.
constexpr long lost_bits = 12;
constexpr std::size_t few_components = 12;  ///< with fewer than these, none is left out
constexpr int most_pieces = 200;            ///< of a right tail; where they do not suffice, +inf

Ball head(const std::vector<Ball>& terms, std::size_t end) {
  Ball sum;
  for (std::size_t i = 0; i < end; ++i) sum += terms[i];
  return sum;
}
Ball tail(const std::vector<Ball>& terms, std::size_t start) {
  Ball sum;
  for (std::size_t i = start; i < terms.size(); ++i) sum += terms[i];
  return sum;
}

}  // namespace

LikelihoodRatio::LikelihoodRatio(const GaussianMixture& mixture) {
  Rational unit;
  multiples_ = common_multiples(mixture.sensitivities, unit);
  unit_ = Ball(Rational(unit / mixture.sigma)) / sqrt(Ball(mixture.radicand));
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    if ((i & 31) == 31) check_work_limit();
    rates_.push_back(mixture.rate(i));
    probabilities_.emplace_back(mixture.probabilities[i]);
    weights_.push_back(mixture.weight(i));
  }
}

Ball LikelihoodRatio::value(const Ball& y) const {
  Ball sum;
  for (std::size_t i = 0; i < rates_.size(); ++i) sum += weights_[i] * exp(rates_[i] * y);
  return sum;
}

Ball LikelihoodRatio::log_value(const Ball& y) const {
  if (rates_.front().is_exact_zero()) {
    // f - 1 = sum p_i (e^{a_i y - a_i^2 / 2} - 1) keeps its digits where f is near 1.
    Ball excess;
    for (std::size_t i = 1; i < rates_.size(); ++i) {
      excess += probabilities_[i] * expm1(rates_[i] * y - ldexp(square(rates_[i]), -1));
    }
    return log1p(excess);
  }
  return log(value(y));
}

// Proof: docs/proofs/straight_contour.md#components
LikelihoodRatio::Kept LikelihoodRatio::needed(const Ball& low, const Ball& high) const {
  Kept kept{0, rates_.size(), Ball(0), Ball(0)};
  if (rates_.size() < few_components) return kept;
  const long bits = working_precision() - lost_bits;
  const PrecisionScope scope(64);
  std::vector<Ball> left;
  std::vector<Ball> right;
  Ball left_sum;
  Ball right_sum;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    if ((i & 63) == 0) check_work_limit();
    left.push_back(weights_[i] * exp(rates_[i] * low));
    right.push_back(weights_[i] * exp(rates_[i] * high));
    left_sum += left.back();
    right_sum += right.back();
  }
  const Ball left_most = ldexp(left_sum.lower(), -bits);
  const Ball right_most = ldexp(right_sum.lower(), -bits);
  Ball left_rest;
  Ball right_rest;
  while (kept.from + 1 < kept.to && certainly_less(left_rest + left[kept.from], left_most)) {
    left_rest += left[kept.from++];
  }
  while (kept.to > kept.from + 1 && certainly_less(right_rest + right[kept.to - 1], right_most)) {
    right_rest += right[--kept.to];
  }
  if (kept.from == 0 && kept.to == rates_.size()) return kept;
  // the bound of the proof at `low`; towards `high` it grows by e^log_growth
  const Ball left_share = left_rest / (left_sum - left_rest - tail(left, kept.to));
  const Ball right_share = right_rest / (right_sum - right_rest - head(right, kept.from));
  kept.error = charged(components_term,
                       (PLAUDIT_BOUND("likelihood.components_left", left_share, Ball(0)) +
                        PLAUDIT_BOUND("likelihood.components_right", right_share, Ball(0))) *
                           left_sum);
  kept.log_growth = log(right_sum / left_sum);
  return kept;
}

std::vector<ComplexBall> LikelihoodRatio::on_grid(double d, long first, long last,
                                                  const Ball& eta) const {
  std::vector<ComplexBall> result;
  check_memory_of_balls(static_cast<double>(last - first + 1));
  result.reserve(static_cast<std::size_t>(last - first + 1));
  // f(y_j + i eta) = sum_i turned_i e^{a_i y_j}: a polynomial in e^{unit y_j}, by Horner's rule,
  // where the rates are multiples of a unit; else an exponential for each point and component.
  std::vector<ComplexBall> turned;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    const Ball angle = rates_[i] * eta;
    turned.emplace_back(weights_[i] * cos(angle), weights_[i] * sin(angle));
  }
  const Ball step(d);
  if (!multiples_.empty()) {
    std::vector<ComplexBall> coefficients(multiples_.back() + 1);
    for (std::size_t i = 0; i < rates_.size(); ++i) coefficients[multiples_[i]] = turned[i];
    const Ball ratio = exp(unit_ * step);
    Ball x = exp(unit_ * step * Ball(first));
    const long block =
        rates_.size() < few_components ? last - first + 1 : std::max(8L, (last - first) / 8 + 1);
    for (long start = first; start <= last; start += block) {
      const long end = std::min(last, start + block - 1);
      const Kept kept = needed(step * Ball(start), step * Ball(end));
      const std::size_t lowest = multiples_[kept.from];
      Ball error = kept.error;
      const Ball growth = end > start ? exp(kept.log_growth / Ball(end - start)) : Ball(1);
      for (long j = start; j <= end; ++j) {
        if ((j & 15) == 0) check_work_limit();
        ComplexBall sum = coefficients[multiples_[kept.to - 1]];
        for (std::size_t m = multiples_[kept.to - 1]; m-- > lowest;) {
          sum.scale(x);
          sum += coefficients[m];
        }
        if (lowest > 0) {
          const Ball rest = power(x, lowest);
          sum.scale(rest);
        }
        if (!error.is_exact_zero()) {
          sum = widened(sum, error);
          error = (error * PLAUDIT_BOUND("likelihood.components_grow", growth, Ball(1))).upper();
        }
        result.push_back(std::move(sum));
        x *= ratio;
      }
    }
    return result;
  }
  for (long j = first; j <= last; ++j) {
    if ((j & 15) == 0) check_work_limit();
    ComplexBall sum;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const Ball size = exp(rates_[i] * step * Ball(j));
      ComplexBall term = turned[i];
      term.scale(size);
      sum += term;
    }
    result.push_back(std::move(sum));
  }
  return result;
}

std::vector<Ball> LikelihoodRatio::logs_on_grid(double d, long first, long last) const {
  std::vector<Ball> result;
  result.reserve(static_cast<std::size_t>(last - first + 1));
  const Ball step(d);
  if (rates_.size() == 2 && rates_.front().is_exact_zero()) {
    // log(1 + q (e^u - 1)): e^u by a geometric progression; where e^u is near 1 the absolute
    // error that the difference leaves is q times the working precision's, which is enough.
    const Ball ratio = exp(rates_[1] * step);
    Ball x = exp(rates_[1] * step * Ball(first) - ldexp(square(rates_[1]), -1));
    for (long j = first; j <= last; ++j) {
      if ((j & 255) == 0) check_work_limit();
      result.push_back(log1p(probabilities_[1] * (x - Ball(1))));
      x *= ratio;
    }
    return result;
  }
  for (const ComplexBall& f : on_grid(d, first, last, Ball(0))) {
    if ((result.size() & 255) == 0) check_work_limit();
    result.push_back(log(f.real()));
  }
  return result;
}

Ball LikelihoodRatio::at_minus_infinity() const {
  return rates_.front().is_exact_zero() ? probabilities_.front() : Ball(0);
}

Ball LikelihoodRatio::mean_rate(const Ball& y) const {
  Ball total;
  Ball weighted;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    const Ball share = weights_[i] * exp(rates_[i] * y);
    total += share;
    weighted += share * rates_[i];
  }
  return weighted / total;
}

Ball LikelihoodRatio::mean_square_rate(const Ball& y) const {
  Ball total;
  Ball weighted;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    const Ball share = weights_[i] * exp(rates_[i] * y);
    total += share;
    weighted += share * square(rates_[i] - rates_.front());
  }
  return weighted / total;
}

// Proof: docs/proofs/straight_contour.md#strip
Ball LikelihoodRatio::turn_factor(const Ball& r, const Ball& eta,
                                  const std::optional<Ball>& reach) const {
  if (certainly_nonnegative(r)) return Ball(1);  // Lemma 2 (i)
  if (!certainly_negative(r)) return positive_infinity();
  const Ball spread = (rates_.back() - rates_.front()) * abs(eta);
  Ball factor = positive_infinity();
  if (certainly_less(spread, pi())) {
    factor = PLAUDIT_BOUND("likelihood.turned", real_power(cos(ldexp(spread, -1)), r),
                           Ball(1));  // Lemma 2 (ii)
    if (!factor.is_finite()) factor = positive_infinity();
  }
  if (reach) {
    // Lemma 2 (iv): |f(y + i eta)|^2 >= f(y)^2 (1 - eta^2 m2(reach))
    const Ball kept =
        Ball(1) - PLAUDIT_BOUND("likelihood.turned_left", square(eta) * mean_square_rate(*reach),
                                ldexp(square(eta) * mean_square_rate(*reach), -3));
    if (certainly_positive(kept)) {
      const Ball refined = real_power(kept, ldexp(r, -1));
      if (refined.is_finite()) factor = min(factor, refined);
    }
  }
  return factor;
}

// Proof: docs/proofs/straight_contour.md#strip
Ball LikelihoodRatio::turn_angle(const Ball& eta, const std::optional<Ball>& reach) const {
  Ball angle =
      PLAUDIT_BOUND("likelihood.angle", rates_.back(), rates_.front()) * abs(eta);  // Lemma 2 (iii)
  if (reach && certainly_less(angle, pi())) {
    // Lemma 2 (v): tan arg <= |eta| m1 / (1 - eta^2 m2' / 2), m's under the weights at reach
    const Ball first = mean_rate(*reach);
    Ball second;
    Ball total;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const Ball share = weights_[i] * exp(rates_[i] * *reach);
      total += share;
      second += share * square(rates_[i]);
    }
    const Ball below = Ball(1) - ldexp(square(eta) * second / total, -1);
    if (certainly_positive(below)) {
      const Ball refined =
          atan(abs(eta) * first / PLAUDIT_BOUND("likelihood.angle_left", below, Ball(4)));
      if (refined.is_finite()) angle = min(angle, refined);
    }
  }
  return angle;
}

// Proof: docs/proofs/straight_contour.md#steady-turn
bool LikelihoodRatio::turns_steadily(double height) const {
  return certainly_less_equal(
      Ball(height) * rates_.back(),
      PLAUDIT_BOUND("likelihood.steady_turn", ldexp(pi(), -1).lower(), pi()));
}

// Proof: docs/proofs/straight_contour.md#tails
Ball LikelihoodRatio::right_tail(const Ball& r, long index, double d) const {
  const Ball step(d);
  Ball y = step * Ball(index);
  if (!certainly_nonnegative(y)) return positive_infinity();
  if (certainly_negative(r))
    return PLAUDIT_BOUND("likelihood.right_tail_falls", real_power(value(y), r), Ball(0)) *
           normal_tail_above(y);
  if (!certainly_nonnegative(r)) return positive_infinity();
  // A chain of starting points: on each piece log f grows at most at the rate at its right end.
  Ball sum;
  long at = index;
  for (int piece = 0; piece < most_pieces; ++piece) {
    check_work_limit();
    y = step * Ball(at);
    Ball rate = rates_.back();
    const bool last = certainly_greater_equal(y, r * rate);
    const long next = at + std::max<long>(8, at / 2);
    if (!last) {
      rate = mean_rate(step * Ball(PLAUDIT_BOUND("likelihood.rate_at_far_end", next, at))).upper();
      if (!rate.is_finite()) return positive_infinity();
      rate = min(rate, rates_.back());
    }
    const Ball peak = r * rate;
    Ball mass = normal_tail_above(y - peak);
    // The majorant rises up to its peak: a sum over the grid exceeds the integral by one term.
    if (!certainly_greater_equal(y, peak))
      mass += PLAUDIT_BOUND("likelihood.one_more_point", step, Ball(0)) / sqrt(ldexp(pi(), 1));
    sum += real_power(value(y), r) * exp(ldexp(square(peak), -1) - peak * y) * mass;
    if (last) return sum;
    if (next > std::numeric_limits<long>::max() / 4) return positive_infinity();
    at = next;
  }
  return positive_infinity();
}

// Proof: docs/proofs/straight_contour.md#tails
Ball LikelihoodRatio::left_tail(const Ball& r, long index, double d) const {
  const Ball y = Ball(d) * Ball(index);
  if (!certainly_less_equal(y, Ball(0))) return positive_infinity();
  if (certainly_nonnegative(r))
    return real_power(value(y), r) *
           normal_tail_above(-PLAUDIT_BOUND("likelihood.left_tail", y, ldexp(y, 1)));
  if (!certainly_negative(r)) return positive_infinity();
  // f^r is at most f(-inf)^r, and grows leftward at most at the rate -r f'/f of the end point
  Ball bound = positive_infinity();
  if (rates_.front().is_exact_zero()) {
    bound = PLAUDIT_BOUND("likelihood.left_tail_at_infinity", real_power(probabilities_.front(), r),
                          Ball(1)) *
            normal_tail_above(-y);
  }
  const Ball reach = PLAUDIT_BOUND("likelihood.left_tail_grows",
                                   (-r * min(mean_rate(y), rates_.back())).upper(), Ball(0));
  if (certainly_less_equal(y, -reach)) {
    const Ball chained = real_power(value(y), r) * exp(ldexp(square(reach), -1) + reach * y) *
                         normal_tail_above(-(reach + y));
    if (chained.is_finite()) bound = bound.is_finite() ? min(bound, chained) : chained;
  }
  return bound;
}

}  // namespace plaudit
