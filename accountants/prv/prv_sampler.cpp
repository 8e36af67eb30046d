#include "accountants/prv/prv_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/prv/prv_cells.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm aliasing_term{"prv.aliasing", "Poisson summation (part of the radius)"};
constexpr ErrorTerm cells_term{"prv.cells", "cells left out (part of the radius)"};
constexpr ErrorTerm transform_term{"prv.transform", "docs/proofs/fourier.md#riemann"};
constexpr double most_nats = 2e4;    ///< beyond, one logarithm outlasts any time limit
constexpr long exponentials = 1024;  ///< cells of a block: e^{t l} is a product of two of a table
constexpr long least_bits = 112;
constexpr long spare_bits = 80;

class CellSampler final : public LatticeSampler {
 public:
  explicit CellSampler(double limit) : most_cells_(limit) {}

  const Words& words() const override {
    static const Words all{"prv",         "deconvolved", "cells",       "prv",
                           aliasing_term, cells_term,    transform_term};
    return all;
  }

  /// Cells: e^{-scale} p_j e^{+-t l_j} in order of l.
  LatticeTerms terms(const PrivacyLoss& loss, Direction direction, const Ball& t, const Ball& d,
                     const MixtureDensity&, const MixtureDensity::Window& window,
                     double scale) const override {
    const Ball slope = direction == Direction::remove ? t : -t;
    return [&loss, direction, slope, d, window,
            scale](const std::function<void(long, const Ball&)>& sink) {
      std::vector<Ball> fine(exponentials);
      for (long k = 0; k < exponentials; ++k) {
        fine[static_cast<std::size_t>(k)] = exp(slope * d * Ball(k));
      }
      Ball coarse;
      mixture_cells(*loss.facts().gaussian_mixture, direction, d, window.first, window.last,
                    [&](long j, const Ball& mass) {
                      const long k = (j - window.first) % exponentials;
                      if (k == 0) coarse = exp(slope * d * Ball(j) - Ball(scale));
                      sink(j, mass * coarse * fine[static_cast<std::size_t>(k)]);
                    });
    };
  }

  // Proof: docs/proofs/prv.md#rounded
  ComplexBall factor(const ComplexBall& z, const Ball& d) const override {
    const ComplexBall w = z * ComplexBall(ldexp(d, -1));  // not 0
    return sinh(w) / w;
  }
  Ball alias_factor(const Ball& t, const Ball& period, const Ball& s_max) const override {
    return sqrt(square(t) + square(s_max)) / (period - s_max);
  }
  Ball tail_factor(const Ball& t, const Ball& d) const override {
    return PLAUDIT_BOUND("prv.tails_rounded", exp(abs(t) * ldexp(d, -1)), Ball(1));
  }

  double estimate_alias_factor(double t, double height, double distance) const override {
    return std::hypot(t, height) / distance;
  }
  double most_points() const override { return most_cells_; }
  long bits(double nats, double scale, std::size_t size, bool) const override {
    if (!(nats + std::fabs(scale) < most_nats)) {
      throw std::domain_error("prv: too much precision would be needed");
    }
    return std::max(least_bits, precision_bits((nats + std::fabs(scale)) / log_two) + spare_bits +
                                    2 * precision_bits(std::log2(static_cast<double>(size))));
  }

 private:
  double most_cells_;
};

}  // namespace

std::shared_ptr<const LatticeSampler> cell_sampler(double limit) {
  return std::make_shared<CellSampler>(limit);
}

}  // namespace plaudit
