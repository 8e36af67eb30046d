#include "mechanisms/laws/truncated_gaussian_loss.hpp"

#include <algorithm>
#include <cmath>

#include "lib/constants.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

/// Of the rule of midpoints: ten digits where no cut matters, about three at a steep one.
constexpr int estimate_points = 200;
constexpr double estimate_deviations = 9;  ///< of the noise, beyond which estimates see nothing
constexpr double estimate_nats = 45;       ///< of a fall from an end, beyond which they see nothing

Ball normal_above(const Ball& x) { return normal_cdf(-x); }
ComplexBall normal_above(const ComplexBall& z) {
  return ldexp(erfc(z / ComplexBall(sqrt(Ball(2)))), -1);
}

bool on_the_left(const Ball& t) { return t.estimate() < -0.5; }
bool on_the_left(const ComplexBall& z) { return on_the_left(z.real()); }

}  // namespace

TruncatedGaussianLoss::TruncatedGaussianLoss(Rational variance, Rational bound, Rational shift)
    : variance_(std::move(variance)), bound_(std::move(bound)), shift_(std::move(shift)) {
  facts_.greatest_loss = shift_ * (2 * bound_ - shift_) / (2 * variance_);
}

Ball TruncatedGaussianLoss::whole() const {
  return Ball(1) - ldexp(normal_above(Ball(bound_) / deviation()), 1);
}

Ball TruncatedGaussianLoss::output(const Ball& x) const {
  const Ball y = x * Ball(Rational(variance_ / shift_)) + Ball(Rational(shift_ / 2));
  return min(max(y, Ball(Rational(shift_ - bound_))), Ball(bound_));
}

// Proof: docs/proofs/truncated.md#gaussian
Ball TruncatedGaussianLoss::p_above(const Ball& x) const {
  const Ball sigma = deviation();
  return (normal_above((output(x) - Ball(shift_)) / sigma) - normal_above(Ball(bound_) / sigma)) /
         whole();
}

Ball TruncatedGaussianLoss::q_above(const Ball& x) const {
  const Ball sigma = deviation();
  return (normal_above(output(x) / sigma) - normal_above(Ball(bound_) / sigma)) / whole();
}

Ball TruncatedGaussianLoss::mass_at_infinity() const {
  const Ball sigma = deviation();
  Ball mass =
      (normal_above(Ball(Rational(bound_ - shift_)) / sigma) - normal_above(Ball(bound_) / sigma)) /
      whole();
  return PLAUDIT_BOUND("truncated_gaussian.infinite", mass, Ball(0));
}

// e^(mu z (z + 1)) (Phi((A - D (1 + z)) / sigma) - Phi((-A - z D) / sigma)) / Z, mu = D^2 / (2v),
// by upper tails on the left of -1/2 and by lower ones on the right, which are small together where
// the cut is far from the centre. Proof: docs/proofs/truncated.md#gaussian
template <class Number>
Number TruncatedGaussianLoss::mgf(const Number& z) const {
  const Number sigma(deviation());
  const Number shift{Ball(shift_)};
  const Number bound{Ball(bound_)};
  const Number mean{Ball(Rational(shift_ * shift_ / (2 * variance_)))};
  const Number high = (bound - shift - shift * z) / sigma;
  const Number low = (-bound - shift * z) / sigma;
  const Number front = exp(mean * z * (z + Number(1)));
  const Number inside = on_the_left(z) ? normal_above(low) - normal_above(high)
                                       : normal_above(-high) - normal_above(-low);
  return front * inside / Number(whole());
}

Ball TruncatedGaussianLoss::log_mgf(const Ball& t) const { return log(mgf(t)); }
// On the left the logarithm is taken of -M, whose branch is far away.
ComplexBall TruncatedGaussianLoss::log_mgf(const ComplexBall& z) const {
  const ComplexBall value = mgf(z);
  if (!certainly_negative(value.real())) return log(value);
  return log(-value) + ComplexBall(Ball(0), pi());
}

std::optional<Ball> TruncatedGaussianLoss::density(const Ball& x) const {
  const Ball end = greatest_loss();
  if (certainly_greater(x, end) || certainly_less(x, -end)) return Ball(0);
  const Ball sigma = deviation();
  const Ball outputs{Rational(variance_ / shift_)};
  const Ball inside = normal_density((x * outputs - Ball(Rational(shift_ / 2))) / sigma) * outputs /
                      sigma / whole();
  const bool certain = certainly_less(x, end) && certainly_greater(x, -end);
  return certain ? inside : hull(Ball(0), inside);
}

// As a function of y - D/2 it is a Gaussian's density with its centre at D (t + 1/2), cut off.
Ball TruncatedGaussianLoss::greatest_tilted_density(const Ball& t) const {
  const Ball half{Rational(shift_ / 2)};
  const Ball end{Rational(bound_ - shift_ / 2)};
  const Ball centre = Ball(shift_) * t + half;
  const Ball at = min(max(centre, -end), end);
  const Ball sigma = deviation();
  const Ball outputs{Rational(variance_ / shift_)};
  return (exp(t * at / outputs) * normal_density((at - half) / sigma) * outputs / sigma / whole())
      .upper();
}

// One integration by parts: at most (both end values and the variation) / s, for a function that
// rises and then falls twice its greatest value. Proof: docs/proofs/truncated.md#gaussian
Ball TruncatedGaussianLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double) const {
  const Ball all = mgf(t).upper();
  const Ball greatest = greatest_tilted_density(t);
  const Ball bound = PLAUDIT_BOUND("truncated_gaussian.beyond", ldexp(greatest, 1), greatest) / s;
  return bound.is_finite() ? min(bound.upper(), all).upper() : all;
}

// The tilted law of y - D/2 is a Gaussian's, cut off: the rule of midpoints where it has mass.
CumulantEstimate TruncatedGaussianLoss::estimate_cumulant(double t) const {
  const double v = estimate(variance_);
  const double d = estimate(shift_);
  const double end = estimate(bound_) - d / 2;
  const double centre = d * (t + 0.5);
  const double top = std::clamp(centre, -end, end);
  const double slope = std::fabs(centre - top) / v;
  const double wing =
      std::min(estimate_deviations * std::sqrt(v), slope > 0 ? estimate_nats / slope : infinity);
  const double from = std::max(-end, top - wing);
  const double width = (std::min(end, top + wing) - from) / estimate_points;
  const auto exponent = [&](double y) { return -(y - centre) * (y - centre) / (2 * v); };
  const double highest = exponent(top);
  double zero = 0;
  double one = 0;
  double two = 0;
  for (int i = 0; i < estimate_points; ++i) {
    const double y = from + (i + 0.5) * width;
    const double weight = std::exp(exponent(y) - highest);
    zero += weight;
    one += weight * (y - top);
    two += weight * (y - top) * (y - top);
  }
  const double scale = d / v;
  const double mean = one / zero;
  const double inside = std::erf(estimate(bound_) / std::sqrt(2 * v));
  const double mass = std::log(zero * width) - log_sqrt_two_pi - std::log(v) / 2 + highest;
  return {d * d / (2 * v) * t * (t + 1) + mass - std::log(inside), scale * (top + mean),
          scale * scale * std::max(0.0, two / zero - mean * mean)};
}

double TruncatedGaussianLoss::estimate_log_decay(double t, double s) const {
  const double bound = log_two + greatest_tilted_density(Ball(t)).estimate_log() - std::log(s);
  return std::min(0.0, bound - estimate_cumulant(t).value);
}

std::string TruncatedGaussianLoss::describe() const {
  return "truncated gaussian privacy loss of variance " + to_string(variance_) + ", bound " +
         to_string(bound_) + ", sensitivity " + to_string(shift_);
}

}  // namespace plaudit
