#include "accountants/fourier/density_loss.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/fourier/density_aliases.hpp"
#include "accountants/fourier/lattice_transform.hpp"
#include "lib/analysis/fft.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_density.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm aliasing_term{"density.aliasing", "Poisson summation (aliases by Theorem 2)"};
constexpr ErrorTerm tails_term{"density.tails", "monotone tails of the tilted density"};
constexpr ErrorTerm transform_term{"density.transform", "Theorem 10 (rounding, binary64)"};
constexpr double log_two = 0.69314718055994530942;
constexpr std::size_t longest_transform = std::size_t{1} << 44;
constexpr double most_points = 16777216;
/// Callers ask for a few nats more than they need: so much may be missed in binary64.
constexpr double spare_nats = 4;

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
      std::max(128L, precision_bits(digits + std::log2(2 + std::fabs(scale))) + 72));
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
  const LatticeRange range{window.first, window.last, scale, size, count};
  LatticeSums sums = (doubles ? sums_in_doubles : sums_in_balls)(
      range, [&](const auto& sink) { density.sample(d, window, Ball(scale), sink); });
  const Ball rounding = doubles ? charged(transform_term, sums.rounding) : Ball(0);

  LineValues result;
  result.values = std::move(sums.values);
  result.quadrature = (aliasing + tails + rounding).upper();
  result.points =
      static_cast<std::size_t>(checked_integer(window.points(), "the number of points"));
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
