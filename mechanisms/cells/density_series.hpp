// Taylor polynomials of the density of the privacy loss of a Gaussian mixture, with a proven
// remainder: what cell masses are computed from in doubles (cell_integrals.hpp).
//
// With y(l) the root of f(y) = e^l, l = L (remove) or l = -L (add), the density of L under P is
//   phi(y) y'(l) e^l (remove),   phi(y) y'(l) (add).
// The coefficients of y follow from sum_i w_i e^{a_i y} = e^l term by term; the remainder is
// Cauchy's estimate on a disk where y is analytic by Rouche's theorem.
// Proof: docs/proofs/blocks.md#series, docs/proofs/blocks.md#disk
#pragma once

#include <optional>
#include <vector>

#include "mechanisms/direction.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

/// The density at centre + radius X differs from sum_k coefficients[k] X^k by at most `remainder`
/// for -1 <= X <= 1.
struct DensityPolynomial {
  std::vector<Ball> coefficients;
  Ball remainder;
};

class DensitySeries {
 public:
  /// At the working precision in force, here and at every call: 96 bits or more.
  DensitySeries(const GaussianMixture& mixture, Direction direction);

  /// About the loss `centre`, an exact double, for losses within `radius`; nothing where the disk
  /// of analyticity that was found is not several times as large.
  std::optional<DensityPolynomial> about(double centre, double radius) const;

 private:
  /// y is analytic for complex losses within `radius` of the centre, |y - y0| < reach there, and
  /// |y'| <= 1 / least_rate. Proof: docs/proofs/blocks.md#disk
  struct Disk {
    Ball y;  ///< y0
    Ball reach;
    Ball least_rate;
    Ball radius;
  };
  std::optional<Ball> root(double loss) const;
  std::optional<Disk> disk(const Ball& y) const;
  std::vector<Ball> inverse(const Ball& y, const Ball& exp_loss, double radius,
                            std::size_t count) const;

  LikelihoodRatio f_;
  MixtureEstimate estimate_;
  bool removes_;
  Ball varying_;  ///< 1 - f(-inf)
  std::vector<Ball> rates_;
  std::vector<Ball> weights_;  ///< p_i e^{-a_i^2 / 2}
  std::vector<Ball> probabilities_;
};

}  // namespace plaudit
