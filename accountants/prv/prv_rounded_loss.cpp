#include "accountants/prv/prv_rounded_loss.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/fourier/density_aliases.hpp"
#include "accountants/fourier/lattice_transform.hpp"
#include "accountants/prv/prv_cells.hpp"
#include "lib/analysis/fft.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_density.hpp"

namespace plaudit {

namespace {

constexpr double most_nats = 2e4;  ///< beyond, one logarithm outlasts any time limit
constexpr ErrorTerm aliasing_term{"prv.aliasing", "Poisson summation (aliases by Theorem 2)"};
constexpr ErrorTerm cells_term{"prv.cells", "cells left out (3.T)"};
constexpr ErrorTerm transform_term{"prv.transform", "Theorem 10 (rounding, binary64)"};
constexpr double log_two = 0.69314718055994530942;
constexpr std::size_t longest_transform = std::size_t{1} << 44;
/// Callers ask for a few nats more than they need: so much may be missed in binary64.
constexpr double spare_nats = 4;

/// sinh(w) / w at w = z d / 2; z is not 0.
ComplexBall rounding_factor(const ComplexBall& z, const Ball& d) {
  const ComplexBall w = z * ComplexBall(ldexp(d, -1));
  return sinh(w) / w;
}

}  // namespace

RoundedLoss::RoundedLoss(std::shared_ptr<const PrivacyLoss> loss, Direction direction,
                         std::shared_ptr<RoundedRecord> record, double most_cells)
    : loss_(std::move(loss)),
      direction_(direction),
      record_(std::move(record)),
      most_cells_(most_cells) {
  if (loss_->gaussian_mixture() == nullptr) {
    throw std::invalid_argument("prv: no Gaussian mixture behind the loss");
  }
}

// Proof: docs/proofs/prv.md#rounded
LineValues RoundedLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                    double nats) const {
  const bool removes = direction_ == Direction::remove;
  const double t_near = t.estimate();
  const double step_near = step.estimate();
  const double height = step_near * static_cast<double>(count);

  // The least K for which the nearest alias is expected to be small enough.
  std::size_t size = 2;
  while (size < 2 * count) size *= 2;
  const auto alias_nats = [&] {
    const double distance = static_cast<double>(size) * step_near - height;
    return -loss_->estimate_log_decay(t_near, distance) -
           std::log(std::hypot(t_near, height) / distance);
  };
  while (size <= longest_transform && alias_nats() < nats + 2) size *= 2;
  if (size > longest_transform) {
    throw std::domain_error("prv: no mesh makes the aliases small enough");
  }

  const double scale = std::round(loss_->estimate_cumulant(t_near).value);
  if (!(nats + std::fabs(scale) < most_nats)) {
    throw std::domain_error("prv: too much precision would be needed");
  }
  const PrecisionScope scope(
      std::max(112L, precision_bits((nats + std::fabs(scale)) / log_two) + 80 +
                         2 * precision_bits(std::log2(static_cast<double>(size)))));
  const Ball period = step * Ball(std::uint64_t{size});
  const Ball d = ldexp(pi(), 1) / period;
  const MixtureDensity density(*loss_->gaussian_mixture(), removes ? t + Ball(1) : -t);
  const MixtureDensity::Window window = density.window(d, nats + 2);
  // a root of more than one exponential costs ten times as much
  const bool simple = loss_->gaussian_mixture()->sensitivities.size() <= 2;
  if (!(window.points() <= (simple ? most_cells_ : most_cells_ / 16))) {
    throw std::domain_error("prv: too many points of the distribution function would be needed");
  }

  // Cells: e^{-scale} p_j e^{+-t l_j} in order of l.
  const Ball slope = removes ? t : -t;
  const LatticeTerms terms = [&](const std::function<void(long, const Ball&)>& sink) {
    std::vector<Ball> fine(1024);
    for (long k = 0; k < 1024; ++k) fine[static_cast<std::size_t>(k)] = exp(slope * d * Ball(k));
    Ball coarse;
    mixture_cells(*loss_->gaussian_mixture(), direction_, d, window.first, window.last,
                  [&](long j, const Ball& mass) {
                    const long k = (j - window.first) % 1024;
                    if (k == 0) coarse = exp(slope * d * Ball(j) - Ball(scale));
                    sink(j, mass * coarse * fine[static_cast<std::size_t>(k)]);
                  });
  };
  const bool doubles = nats < spare_nats - std::log(radix_two_error(size));
  const LatticeRange range{window.first, window.last, scale, size, count};
  LatticeSums sums = (doubles ? sums_in_doubles : sums_in_balls)(range, terms);
  const Ball s_max = step * Ball(std::uint64_t{count});
  const Ball rounding = doubles ? charged(transform_term, sums.rounding) : Ball(0);
  const Ball tails =
      charged(cells_term, PLAUDIT_BOUND("prv.tails_rounded", exp(abs(t) * ldexp(d, -1)), Ball(1)) *
                              window.outside);
  const Ball modulus = sqrt(square(t) + square(s_max));
  const Ball aliasing =
      charged(aliasing_term, modulus / (period - s_max) *
                                 alias_bound(*loss_, direction_, t, period, s_max, nats + 2));

  LineValues result;
  result.values = std::move(sums.values);
  result.points =
      static_cast<std::size_t>(checked_integer(window.points(), "the number of points"));
  Ball largest;
  for (std::size_t k = 0; k < count; ++k) {
    ComplexBall& value = result.values[k];
    if (!removes) value = conjugate(value);
    const ComplexBall z(t, step * Ball(std::uint64_t{k}));
    const ComplexBall factor = rounding_factor(z, d);
    value = widened(widened(value, (rounding + tails).upper()) / factor, aliasing);
    largest = max(largest, ((rounding + tails) / abs(factor)).upper());
  }
  result.quadrature = (largest + aliasing).upper();
  if (!result.quadrature.is_finite()) throw std::domain_error("prv: no finite error bound");
  if (record_) {
    const Ball whole = max(rounding + tails + aliasing, Ball(1e-300));
    *record_ = {d.estimate(),  result.points,   size, doubles, aliasing / whole,
                tails / whole, rounding / whole};
  }
  return result;
}

}  // namespace plaudit
