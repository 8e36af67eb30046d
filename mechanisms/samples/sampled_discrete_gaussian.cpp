// Poisson samples of discrete Gaussian noise: the moments, by sums with proven tails.
//
// With f(k) = 1 - rate + rate e^{l(k)}, l(k) = (k D - D^2/2) / v, under the law without the record
//   A(w) = sum_k phi(k) f(k)^w.
// Proof: docs/proofs/discrete.md#sampled-gaussian
#include <algorithm>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/discrete_gaussian_loss.hpp"
#include "mechanisms/samples/sampled_loss.hpp"

namespace plaudit {

namespace {

constexpr long far_window = 10'000;       ///< longer sums are counted as work before they begin
constexpr double seconds_of_term = 5e-6;  ///< nominal: an exponential and a logarithm

/// A(w) at any complex w: the terms from -wing to wing + u D, and bounds of those beyond.
// Proof: docs/proofs/discrete.md#sampled-gaussian
class Moment {
 public:
  Moment(std::shared_ptr<const DiscreteGaussianTails> noise, long sensitivity, Rational rate)
      : noise_(std::move(noise)), sensitivity_(sensitivity), rate_(std::move(rate)) {}

  ComplexBall operator()(const ComplexBall& w) const {
    const long bits = working_precision();
    const PrecisionScope scope(bits + 32);
    const Ball u = w.real();
    // The terms are largest near 0 or near u D.
    const long wing = noise_->reach(0.6 * static_cast<double>(bits));
    const double shift = std::clamp(u.estimate() * static_cast<double>(sensitivity_), 0.0, 1e9);
    const long last = wing + checked_integer(shift, "discrete Gaussian noise: the window");
    const Ball inverse(Rational(1 / noise_->variance()));
    const Ball taken(rate_);
    // Moments of huge orders, whose largest terms are far out: all of the sum before it begins.
    if (last > far_window) check_work_limit(seconds_of_term * static_cast<double>(last + wing));
    ComplexBall sum;
    for (long k = -wing; k <= last; ++k) {
      if (k % 64 == 0) check_work_limit();
      const Ball square = ldexp(Ball(k) * Ball(k) * inverse, -1);
      sum += exp(w * ComplexBall(log_ratio(k, inverse, taken)) - ComplexBall(square));
    }
    const Ball left = left_rest(-wing - 1, u, inverse, taken),
               right = right_rest(last + 1, u, inverse, taken);
    const Ball rest = PLAUDIT_BOUND("sampled_discrete.left_rest", left, Ball(0)) +
                      PLAUDIT_BOUND("sampled_discrete.right_rest", right, Ball(0));
    const ComplexBall whole = widened(sum, charged(discrete_gaussian_tail, rest));
    return whole / ComplexBall(noise_->normaliser());
  }

 private:
  /// log f(k).
  Ball log_ratio(long k, const Ball& inverse, const Ball& taken) const {
    const Ball d(sensitivity_);
    return log1p(taken * expm1(d * (Ball(k) - ldexp(d, -1)) * inverse));
  }

  /// Terms at and below m < 0: f^u is at most the larger of its values at m and at -inf.
  Ball left_rest(long m, const Ball& u, const Ball& inverse, const Ball& taken) const {
    const Ball top = max(u * log_ratio(m, inverse, taken), u * log1p(-taken));
    const Ball first = exp(top - ldexp(Ball(m) * Ball(m) * inverse, -1));
    const Ball ratio = exp((Ball(m) - Ball(0.5)) * inverse);
    return first / (Ball(1) - ratio);
  }

  /// Terms at and above m > 0: the next term is at most e^{(max(u, 0) D - m - 1/2) / v} times each.
  Ball right_rest(long m, const Ball& u, const Ball& inverse, const Ball& taken) const {
    const Ball first =
        exp(u * log_ratio(m, inverse, taken) - ldexp(Ball(m) * Ball(m) * inverse, -1));
    const Ball drift = max(u, Ball(0)) * Ball(sensitivity_) - Ball(m) - Ball(0.5);
    if (!certainly_negative(drift)) return positive_infinity();
    return first / (Ball(1) - exp(drift * inverse));
  }

  std::shared_ptr<const DiscreteGaussianTails> noise_;
  long sensitivity_;
  Rational rate_;
};

/// The sampled law in floating point: the outcomes up to 40 deviations below 0 and above D, or
/// every `step`-th of them, which then stands for its neighbours.
AtomEstimate picture(double variance, double sensitivity, double rate, Direction direction) {
  AtomEstimate result;
  const double sigma = std::sqrt(variance);
  const double wing = 40 * sigma + 2;
  const double step = std::max(1.0, std::round(sigma / 8));
  double whole = 0;
  const auto visit = [&](auto&& use) {
    for (double k = 0; k <= wing + sensitivity; k += step) use(k);
    for (double k = -step; k >= -wing; k -= step) use(k);
  };
  visit([&](double k) { whole += std::exp(-k * k / (2 * variance)); });
  visit([&](double k) {
    const double log_phi = -k * k / (2 * variance) - std::log(whole);
    const double l = sensitivity * (k - sensitivity / 2) / variance;
    const double log_f = l < 700 ? std::log1p(rate * std::expm1(l)) : l + std::log(rate);
    if (direction == Direction::remove) {
      result.add(log_f, log_phi + log_f);
    } else {
      result.add(-log_f, log_phi);
    }
  });
  return result;
}

}  // namespace

std::shared_ptr<const PrivacyLoss> DiscreteGaussianLoss::sampled(const Rational& rate,
                                                                 Direction direction) const {
  const auto base = std::make_shared<DiscreteGaussianLoss>(noise_->variance(), sensitivity_);
  return std::make_shared<SampledLoss>(SampledLoss::Parts{
      base, rate, direction, Moment(noise_, sensitivity_, rate),
      picture(variance_estimate_, static_cast<double>(sensitivity_), estimate(rate), direction)});
}

}  // namespace plaudit
