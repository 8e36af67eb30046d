// Density mode: the straight contour on values of M from Riemann sums of the tilted
// density of one step,
//   d sum_j G(j d) e^{i s j d} = sum_m A(r + i (s + 2 pi m / d))     (Poisson summation)
// so the sum is M(t + i s) up to aliases (docs/proofs/fourier.md#riemann).
#include "accountants/fourier/fourier_density.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/fourier/lattice_line.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm aliasing_term{"density.aliasing", "Poisson summation (part of the radius)"};
constexpr ErrorTerm tails_term{"density.tails", "monotone tails (part of the radius)"};
constexpr ErrorTerm transform_term{"density.transform", "docs/proofs/fourier.md#riemann"};

class DensitySampler final : public LatticeSampler {
 public:
  explicit DensitySampler(double limit) : most_points_(limit) {}

  const Words& words() const override {
    static const Words all{"density mode", "density",  "points",      "fourier",
                           aliasing_term,  tails_term, transform_term};
    return all;
  }
  LatticeTerms terms(const PrivacyLoss&, Direction, const Ball&, const Ball& d,
                     const MixtureDensity& density, const MixtureDensity::Window& window,
                     double scale) const override {
    return [&density, window, d, scale](const auto& sink) {
      density.sample(d, window, Ball(scale), sink);
    };
  }
  double most_points() const override { return most_points_; }
  /// In balls the transform loses some two bits for each bit of its length.
  long bits(double nats, double scale, std::size_t size, bool doubles) const override {
    const double digits = doubles ? 0 : nats / log_two + 2 * std::log2(static_cast<double>(size));
    return std::max(128L, precision_bits(digits + std::log2(2 + std::fabs(scale))) + 72);
  }

 private:
  double most_points_;
};

}  // namespace

std::shared_ptr<const LatticeSampler> density_sampler(double limit) {
  return std::make_shared<DensitySampler>(limit);
}

std::optional<std::string> density_refusal(const ComposedLoss& loss) {
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (term.loss->facts().gaussian_mixture == nullptr) {
      return "density mode knows the densities of Gaussian mechanisms and their mixtures only";
    }
  }
  return std::nullopt;
}

std::unique_ptr<PrivacyCurve> density_curve(const ComposedLoss& loss, const Goal& goal,
                                            double points) {
  return lattice_line_curve(loss, goal, density_sampler(points));
}

}  // namespace plaudit
