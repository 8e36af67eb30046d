// The density of the loss under replacement in floating point: log of the sum over the labels of
// the normal density where the loss is x, over the loss's derivative there. Enters no bound.
#include <algorithm>
#include <cmath>

#include "lib/constants.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"

namespace plaudit {

namespace {

constexpr double large_exponent = 600;          ///< e^x is far from overflow up to here
constexpr double nats_of_rare_densities = 120;  ///< labels so rare are no part of an estimate

}  // namespace

double ReplacementLoss::estimate_log_density(double x) const {
  const double size = std::fabs(x);
  // log(1 + (e^x - 1) / q), and log of (log f)' / a = 1 - (1 - q) / f times e^x / a
  const double above =
      size > large_exponent ? size - std::log(q_) : std::log1p(std::expm1(size) / q_);
  const double slope = q_ - (1 - q_) * std::expm1(-size);
  double most = -infinity;
  for (const Part& part : parts_) most = std::max(most, part.log_weight);
  double sum = 0;
  for (const Part& part : parts_) {
    if (part.log_weight < most - nats_of_rare_densities) continue;
    const double y = part.a / 2 + above / part.a;
    sum += std::exp(part.log_weight - y * y / 2) / part.a;
  }
  return std::log(sum) - log_sqrt_two_pi - std::log(slope) + std::max(0.0, x);
}

}  // namespace plaudit
