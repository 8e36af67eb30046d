#include "mechanisms/laws/laplace_loss.hpp"

#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

/// The ball restricted to [low, high], where the exact number is known to lie.
Ball restricted(const Ball& x, const Ball& low, const Ball& high) { return min(max(x, low), high); }

}  // namespace

LaplaceLoss::LaplaceLoss(Rational ratio)
    : ratio_(std::move(ratio)), estimate_(plaudit::estimate(ratio_)) {
  facts_.laplace = this;
  facts_.greatest_loss = ratio_;
}

// Proof: docs/proofs/hockey_stick.md#laplace
ComplexBall LaplaceLoss::log_mgf(const ComplexBall& z) const {
  const Ball a(ratio_);
  const ComplexBall scaled = ComplexBall(a) * z;
  const ComplexBall atoms = exp(scaled) + exp(-scaled - ComplexBall(a));
  const ComplexBall curve =
      ComplexBall(a * exp(ldexp(-a, -1))) * sinhc(scaled + ComplexBall(ldexp(a, -1)));
  return log((atoms + curve) * ComplexBall(Ball(0.5)));
}

Ball LaplaceLoss::mgf(const Ball& t) const {
  const Ball a(ratio_);
  const Ball x = a * t + ldexp(a, -1);
  const Ball curve = a * exp(ldexp(-a, -1)) * sinhc(ComplexBall(x)).real();
  return ldexp(exp(a * t) + exp(-a * t - a) + curve, -1);
}

Ball LaplaceLoss::log_mgf(const Ball& t) const { return log(mgf(t)); }

// Between the atoms P(L > x) = 1 - e^{(x-a)/2} / 2 and Q(L > x) = e^{-(x+a)/2} / 2.
Ball LaplaceLoss::p_above(const Ball& x) const {
  const Ball a(ratio_);
  if (certainly_greater_equal(x, a)) return Ball(0);
  if (certainly_less(x, -a)) return Ball(1);
  const Ball y = restricted(x, -a, a);
  Ball result = Ball(1) - ldexp(exp(ldexp(y - a, -1)), -1);
  if (!certainly_less(x, a)) result = hull(result, Ball(0));
  if (!certainly_greater_equal(x, -a)) result = hull(result, Ball(1));
  return result;
}

Ball LaplaceLoss::q_above(const Ball& x) const {
  const Ball a(ratio_);
  if (certainly_greater_equal(x, a)) return Ball(0);
  if (certainly_less(x, -a)) return Ball(1);
  const Ball y = restricted(x, -a, a);
  Ball result = ldexp(exp(ldexp(-y - a, -1)), -1);
  if (!certainly_less(x, a)) result = hull(result, Ball(0));
  if (!certainly_greater_equal(x, -a)) result = hull(result, Ball(1));
  return result;
}

// 1 - e^{(eps - a)/2} between the atoms. Proof: docs/proofs/hockey_stick.md#laplace
Ball LaplaceLoss::delta(const Ball& epsilon) const {
  const Ball a(ratio_);
  Ball between = max(Ball(0), -expm1(ldexp(epsilon - a, -1)));
  if (certainly_greater_equal(epsilon, -a)) return between;
  const Ball left = -expm1(epsilon);
  return certainly_less_equal(epsilon, -a) ? left : hull(between, left);
}

Ball LaplaceLoss::p_atom(const Ball& x) const {
  const Ball a(ratio_);
  Ball result;
  if (overlaps(x, a)) result = Ball(0.5);
  if (overlaps(x, -a)) result = hull(result, ldexp(exp(-a), -1));
  if (result.is_exact_zero()) return result;
  const bool certain = x.is_exact() && a.is_exact();
  return certain ? result : hull(result, Ball(0));
}

// Proof: docs/proofs/tails.md#exact-points
PointMasses LaplaceLoss::masses_at(const Rational& x) const {
  if (x > ratio_) return {Ball(0), Ball(0), Ball(0)};
  if (x < -ratio_) return {Ball(1), Ball(1), Ball(0)};
  if (x == ratio_) return {Ball(0), Ball(0), Ball(0.5)};
  const Ball low = ldexp(exp(-Ball(ratio_)), -1);
  const Rational half = x / 2;
  const Rational end = ratio_ / 2;
  return {Ball(1) - ldexp(exp(Ball(Rational(half - end))), -1),
          ldexp(exp(Ball(Rational(-half - end))), -1), x == -ratio_ ? low : Ball(0)};
}

std::optional<std::vector<LossAtom>> LaplaceLoss::atoms_in(
    const std::optional<LossWindow>& window) const {
  const Ball low = ldexp(exp(-Ball(ratio_)), -1);
  const Rational least = -ratio_;
  return within({{Ball(least), least, low, Ball(0.5)}, {Ball(ratio_), ratio_, Ball(0.5), low}},
                window);
}

std::optional<Ball> LaplaceLoss::density(const Ball& x) const {
  const Ball a(ratio_);
  if (certainly_greater(x, a) || certainly_less(x, -a)) return Ball(0);
  const Ball inside = ldexp(exp(ldexp(x - a, -1)), -2);
  const bool certain = certainly_less(x, a) && certainly_greater(x, -a);
  return certain ? inside : hull(inside, Ball(0));
}

// Proof: docs/proofs/hockey_stick.md#laplace
Ball LaplaceLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / 0.69) + 64));
  const Ball a(ratio_);
  const Ball v = ldexp(t, 1) + Ball(1);
  const Ball size = sqrt(square(v) + ldexp(square(s), 2));
  const Ball atoms = ldexp(exp(a * t) + exp(-a * t - a), -1);
  const Ball bound =
      atoms * (Ball(1) + PLAUDIT_BOUND("laplace.curve_beyond", Ball(1) / size, Ball(0)));
  const Ball whole = mgf(t);
  return bound.is_finite() ? min(bound, whole).upper() : whole.upper();
}

CumulantEstimate LaplaceLoss::estimate_cumulant(double t) const {
  // moments of l under e^{(t+1/2) l - a/2} / 4 on [-a, a] and at the two atoms, times e^-top
  const double a = estimate_;
  const double top = std::max(a * t, -a * t - a);
  const double plus = 0.5 * std::exp(a * t - top);
  const double minus = 0.5 * std::exp(-a * t - a - top);
  double zero = 0;
  double one = 0;
  double two = 0;
  const double rate = t + 0.5;
  if (std::fabs(a * rate) < 0.3) {
    const double w = a * rate;
    const double front = 0.5 * a * std::exp(-a / 2 - top);
    zero = front * (1 + w * w / 6 + w * w * w * w / 120 + std::pow(w, 6) / 5040);
    one = front * a * (w / 3 + w * w * w / 30 + std::pow(w, 5) / 840);
    two = front * a * a * (1.0 / 3 + w * w / 10 + std::pow(w, 4) / 168 + std::pow(w, 6) / 6480);
  } else {
    const double high = 0.25 * std::exp(a * t - top);      // density's tilted value at a
    const double low = 0.25 * std::exp(-a * t - a - top);  // at -a
    zero = (high - low) / rate;
    one = (a * high + a * low - zero) / rate;
    two = (a * a * high - a * a * low - 2 * one) / rate;
  }
  zero += plus + minus;
  one += a * (plus - minus);
  two += a * a * (plus + minus);
  const double mean = one / zero;
  return {std::log(zero) + top, mean, std::max(0.0, two / zero - mean * mean)};
}

double LaplaceLoss::estimate_log_decay(double t, double s) const {
  const double a = estimate_;
  const double top = std::max(a * t, -a * t - a);
  const double atoms = 0.5 * (std::exp(a * t - top) + std::exp(-a * t - a - top));
  const double value = std::log(atoms) + top + std::log1p(1 / std::hypot(2 * t + 1, 2 * s));
  return std::min(0.0, value - estimate_cumulant(t).value);
}

std::string LaplaceLoss::describe() const {
  return "laplace privacy loss of ratio " + to_string(ratio_);
}

}  // namespace plaudit
