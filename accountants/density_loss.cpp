#include "accountants/density_loss.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/density_aliases.hpp"
#include "lib/error_term.hpp"
#include "lib/fft.hpp"
#include "lib/power_sums.hpp"
#include "lib/precision.hpp"
#include "lib/work_limit.hpp"
#include "mechanisms/gaussian_mixture.hpp"
#include "mechanisms/mixture_density.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm aliasing_term{"density.aliasing", "Poisson summation (aliases by Theorem 2)"};
constexpr ErrorTerm tails_term{"density.tails", "monotone tails of the tilted density"};
constexpr ErrorTerm transform_term{"density.transform", "Theorem 10 (rounding, binary64)"};
constexpr double log_two = 0.69314718055994530942;
constexpr std::size_t longest_transform = std::size_t{1} << 44;
constexpr std::size_t longest_ball_transform = std::size_t{1} << 19;
constexpr double most_points = 4194304;
constexpr double most_products = 5e7;  ///< of balls, some seconds
/// Callers ask for a few nats more than they need: so much may be missed in binary64.
constexpr double spare_nats = 4;

/// Values of the transform before the errors are added, and the bound of its rounding.
struct Transformed {
  std::vector<ComplexBall> values;
  Ball rounding;
};

std::size_t folded(long j, std::size_t size) {
  const long k = static_cast<long>(size);
  return static_cast<std::size_t>(((j % k) + k) % k);
}

/// Proof: docs/proofs/fourier.md#riemann
Transformed by_doubles(const MixtureDensity& density, const Ball& d,
                       const MixtureDensity::Window& window, double scale, std::size_t size,
                       std::size_t count) {
  const auto points = static_cast<std::size_t>(window.points());
  std::vector<double> data(std::min(points, size));
  double sum = 0;
  Ball inexact;  // whole values of the few points known to fewer than 60 bits
  density.sample(d, window, Ball(scale), [&](long j, const Ball& value) {
    const double x = value.estimate();
    if (value.relative_accuracy_bits() < 60 || !(x > 1e-300)) {
      inexact += abs(value).upper();
      return;
    }
    data[static_cast<std::size_t>(j - window.first) % data.size()] += x;
    sum += x;
  });
  const ComplexVector values =
      radix_two_first(data, folded(window.first, size), size, count, Sign::plus);
  Transformed result;
  const Ball factor = exp(Ball(scale));
  result.values.reserve(count);
  for (const std::complex<double>& value : values) {
    result.values.push_back(ComplexBall(Ball(value.real()), Ball(value.imag())) *
                            ComplexBall(factor));
  }
  // ||x||_1 from a sum of at most 2^22 positive terms: 1e-9 covers its rounding. Conversion of a
  // value to a double costs u and 2^-60 of it, folding u per addition.
  const Ball norm = Ball(sum) * Ball(1 + 1e-9);
  const double folds = std::ceil(window.points() / static_cast<double>(size));
  const Ball u = ldexp(Ball(1), -53);
  const Ball input = norm * u * Ball(1.01 * (1 + folds)) + inexact;
  result.rounding = factor * (Ball(radix_two_error(size)) * norm + input + Ball(1e-290));
  return result;
}

Transformed by_balls(const MixtureDensity& density, const Ball& d,
                     const MixtureDensity::Window& window, double scale, std::size_t size,
                     std::size_t count) {
  Transformed result;
  const double points = window.points();
  const double length = static_cast<double>(size);
  if (size <= longest_ball_transform &&
      length * std::log2(length + 2) < points * (10 + static_cast<double>(count))) {
    std::vector<ComplexBall> data(size);
    density.sample(d, window, Ball(scale), [&](long j, const Ball& value) {
      arb_add(acb_realref(data[folded(j, size)].raw()), acb_realref(data[folded(j, size)].raw()),
              value.raw(), working_precision());
    });
    ball_transform(data, Sign::plus);
    data.resize(count);
    result.values = std::move(data);
  } else {
    if (points * static_cast<double>(count) > most_products) {
      throw std::domain_error("density mode: too many products of points and nodes");
    }
    std::vector<ComplexBall> weights;
    std::vector<ComplexBall> bases;
    const Ball turn = ldexp(pi(), 1) / Ball(std::uint64_t{size});
    density.sample(d, window, Ball(scale), [&](long j, const Ball& value) {
      weights.emplace_back(value);
      const Ball angle = turn * Ball(j);
      bases.emplace_back(cos(angle), sin(angle));
    });
    result.values = power_sums(weights, bases, count);
  }
  const Ball factor = exp(Ball(scale));
  for (ComplexBall& value : result.values) {
    acb_mul_arb(value.raw(), value.raw(), factor.raw(), working_precision());
  }
  return result;
}

}  // namespace

DensityLoss::DensityLoss(std::shared_ptr<const PrivacyLoss> loss, Direction direction,
                         std::shared_ptr<DensityRecord> record)
    : loss_(std::move(loss)), direction_(direction), record_(std::move(record)) {
  if (loss_->gaussian_mixture() == nullptr) {
    throw std::invalid_argument("density: no Gaussian mixture behind the loss");
  }
}

// Proof: docs/proofs/fourier.md#riemann
LineValues DensityLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                    double nats) const {
  const bool removes = direction_ == Direction::remove;
  const double t_near = t.estimate();
  const double step_near = step.estimate();
  const double height = step_near * static_cast<double>(count);

  // The least K for which the nearest alias is expected to be small enough.
  std::size_t size = 2;
  while (size < 2 * count) size *= 2;
  const auto alias_nats = [&] {
    return -loss_->estimate_log_decay(t_near, static_cast<double>(size) * step_near - height);
  };
  while (size <= longest_transform && alias_nats() < nats + 2) size *= 2;
  if (size > longest_transform) {
    throw std::domain_error("density mode: no mesh makes the aliases small enough");
  }

  const double scale = std::round(loss_->estimate_cumulant(t_near).value);
  const bool doubles = nats < spare_nats - std::log(radix_two_error(size));
  const double digits = doubles ? 0 : nats / log_two + 2 * std::log2(static_cast<double>(size));
  const PrecisionScope scope(
      std::max(128L, static_cast<long>(digits + std::log2(2 + std::fabs(scale))) + 72));
  const Ball period = step * Ball(std::uint64_t{size});
  const Ball d = ldexp(pi(), 1) / period;
  const MixtureDensity density(*loss_->gaussian_mixture(), removes ? t + Ball(1) : -t);
  const MixtureDensity::Window window = density.window(d, nats + 2);
  // a root of more than one exponential costs ten times as much
  const bool simple = loss_->gaussian_mixture()->sensitivities.size() <= 2;
  if (!(window.points() <= (simple ? most_points : most_points / 16))) {
    throw std::domain_error("density mode: too many points of the density would be needed");
  }
  const Ball s_max = step * Ball(std::uint64_t{count});
  const Ball aliasing =
      charged(aliasing_term, alias_bound(*loss_, direction_, t, period, s_max, nats + 2));
  const Ball tails = charged(tails_term, window.outside);
  Transformed sums = (doubles ? by_doubles : by_balls)(density, d, window, scale, size, count);
  const Ball rounding = doubles ? charged(transform_term, sums.rounding) : Ball(0);

  LineValues result;
  result.values = std::move(sums.values);
  result.quadrature = (aliasing + tails + rounding).upper();
  result.points = static_cast<std::size_t>(window.points());
  if (!result.quadrature.is_finite())
    throw std::domain_error("density mode: no finite error bound");
  for (ComplexBall& value : result.values) {
    if (!removes) value = conjugate(value);
    value = widened(value, result.quadrature);
  }
  if (record_) {
    const Ball whole = max(result.quadrature, Ball(1e-300));
    *record_ = {d.estimate(),     size,          result.points,   doubles,
                aliasing / whole, tails / whole, rounding / whole};
  }
  return result;
}

}  // namespace plaudit
