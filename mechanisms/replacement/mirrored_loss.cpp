#include "mechanisms/replacement/mirrored_loss.hpp"

#include <cmath>

#include "lib/analysis/increasing_root.hpp"

namespace plaudit {

MirroredLoss::MirroredLoss(GaussianMixture mixture)
    : IntegralLoss(Power::same), mixture_(std::move(mixture)), integral_(mixture_) {
  facts_.mirrored_mixture = &mixture_;
}

// ---- distribution functions

// L(y) is odd and increasing: bracketed in floating point first.
std::optional<Ball> MirroredLoss::place(const Ball& x) const {
  const MixtureEstimate& estimates = integral_.estimates();
  const auto estimate_loss = [&](double y) { return estimates.log_f(y) - estimates.log_f(-y); };
  const double goal = x.estimate();
  double high = 1;
  while (estimate_loss(high) < std::fabs(goal) && high < 1e300) high *= 2;
  double low = -high;
  for (int i = 0; i < 120; ++i) {
    const double middle = (low + high) / 2;
    (estimate_loss(middle) < goal ? low : high) = middle;
  }
  const auto a = integral_.ratio();
  const auto value = [&](const Ball& y) { return a->log_value(y) - a->log_value(-y) - x; };
  return increasing_root(Ball((low + high) / 2), ldexp(Ball(1), -20), value, [&](const Ball& y) {
    return value(y) / (a->mean_rate(y) + a->mean_rate(-y));
  });
}

// Proof: docs/proofs/mirrored.md#law
Ball MirroredLoss::p_above(const Ball& x) const {
  const std::optional<Ball> y = place(x);
  return y ? mass_above(mixture_, *y) : ldexp(widened(Ball(1), Ball(1)), -1);
}

Ball MirroredLoss::q_above(const Ball& x) const {
  const std::optional<Ball> y = place(x);
  return y ? mass_above(mixture_, *y, -1) : ldexp(widened(Ball(1), Ball(1)), -1);
}

std::optional<Ball> MirroredLoss::density(const Ball& x) const {
  const std::optional<Ball> y = place(x);
  if (!y) return std::nullopt;
  const auto a = integral_.ratio();
  return normal_density(*y) * a->value(*y) / (a->mean_rate(*y) + a->mean_rate(-*y));
}

std::string MirroredLoss::describe() const {
  std::string text =
      "mixture of gaussians against its mirror image, sigma " + to_string(mixture_.sigma) + ":";
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    text += " " + to_string(mixture_.sensitivities[i]) + "@" + to_string(mixture_.probabilities[i]);
  }
  return text;
}

}  // namespace plaudit
