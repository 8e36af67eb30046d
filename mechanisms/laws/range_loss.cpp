#include "mechanisms/laws/range_loss.hpp"

#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

/// Below this size of epsilon (t + 1/2) series are used in estimates.
constexpr double small_argument = 0.1;

Ball kept_within(const Ball& x, const Ball& end) { return min(max(x, -end), end); }

}  // namespace

RangeLoss::RangeLoss(Rational epsilon)
    : epsilon_(std::move(epsilon)), estimate_(plaudit::estimate(epsilon_)) {
  facts_.range = this;
  facts_.greatest_loss = epsilon_;
}

// M(z) = sinh(epsilon v) / (2 v sinh(epsilon / 2)), v = z + 1/2.
// Proof: docs/proofs/selection.md#bounded-range
ComplexBall RangeLoss::log_mgf(const ComplexBall& z) const {
  const Ball e(epsilon_);
  const ComplexBall scaled = ComplexBall(e) * (z + ComplexBall(Ball(0.5)));
  const Ball half = ldexp(e, -1);
  return log(sinhc(scaled) * ComplexBall(half / sinh(half)));
}

Ball RangeLoss::mgf(const Ball& t) const {
  const Ball e(epsilon_);
  const Ball half = ldexp(e, -1);
  return sinhc(ComplexBall(e * t + half)).real() * (half / sinh(half));
}

Ball RangeLoss::log_mgf(const Ball& t) const { return log(mgf(t)); }

// P(L > x) and Q(L > x) are the integrals of e^{l/2} and of e^{-l/2} from x to epsilon, divided by
// 4 sinh(epsilon / 2).
Ball RangeLoss::p_above(const Ball& x) const {
  const Ball e(epsilon_);
  const Ball y = kept_within(x, e);
  return expm1(ldexp(e - y, -1)) * exp(ldexp(y + e, -1)) / expm1(e);
}

Ball RangeLoss::q_above(const Ball& x) const {
  const Ball e(epsilon_);
  const Ball y = kept_within(x, e);
  return expm1(ldexp(e - y, -1)) / expm1(e);
}

std::optional<Ball> RangeLoss::density(const Ball& x) const {
  const Ball e(epsilon_);
  if (certainly_greater(x, e) || certainly_less(x, -e)) return Ball(0);
  const Ball half = ldexp(e, -1);
  const Ball inside = exp(ldexp(x, -1)) / ldexp(sinh(half), 2);
  const bool certain = certainly_less(x, e) && certainly_greater(x, -e);
  return certain ? inside : hull(inside, Ball(0));
}

// |sinh(a + ib)| <= cosh a. Proof: docs/proofs/selection.md#bounded-range-moments
Ball RangeLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / 0.69) + 64));
  const Ball e(epsilon_);
  const Ball v = t + Ball(0.5);
  const Ball size = sqrt(square(v) + square(s));
  const Ball bound =
      PLAUDIT_BOUND("range.beyond", cosh(e * v), Ball(1)) / (ldexp(size, 1) * sinh(ldexp(e, -1)));
  const Ball whole = mgf(t);
  return bound.is_finite() ? min(bound, whole).upper() : whole.upper();
}

CumulantEstimate RangeLoss::estimate_cumulant(double t) const {
  const double e = estimate_;
  const double v = t + 0.5;
  const double w = std::fabs(e * v);
  const double norm = std::log(e / 2 / std::sinh(e / 2));
  if (w < small_argument) {  // log(sinh w / w) and its derivatives in v
    const double value = w * w / 6 - w * w * w * w / 180;
    return {value + (e < 700 ? norm : std::log(e) - e / 2), e * e * v / 3 * (1 - w * w / 15),
            e * e / 3 * (1 - w * w / 5)};
  }
  const double front = e < 700 ? norm : std::log(e) - e / 2;
  const double value = w + std::log1p(-std::exp(-2 * w)) - std::log(2 * w) + front;
  const double sign = v > 0 ? 1 : -1;
  const double mean = sign * e * (1 + 2 / std::expm1(2 * w)) - 1 / v;
  const double decay = w < 300 ? e / std::sinh(w) : 0;
  return {value, mean, std::max(0.0, 1 / (v * v) - decay * decay)};
}

double RangeLoss::estimate_log_decay(double t, double s) const {
  const double w = std::fabs(estimate_ * (t + 0.5));
  const double cosh_log = w + std::log1p(std::exp(-2 * w)) - std::log(2.0);
  const double half = estimate_ / 2;
  const double sinh_log = half + std::log1p(-std::exp(-estimate_)) - std::log(2.0);
  const double bound = cosh_log - std::log(2 * std::hypot(t + 0.5, s)) - sinh_log;
  return std::min(0.0, bound - estimate_cumulant(t).value);
}

std::string RangeLoss::describe() const {
  return "bounded range privacy loss of epsilon " + to_string(epsilon_);
}

}  // namespace plaudit
