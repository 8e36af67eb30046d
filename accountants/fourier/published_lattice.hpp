// The lattice j dx, dx = 2 L / n, on which the published Fourier accountant samples the densities
// of a composition's losses, and upper bounds of what lies outside of [-L, L): by Chernoff bounds
// of Riemann sums, which are moments up to aliases. Their orders are found in floating point; any
// order is valid. Proof: docs/proofs/fourier.md#published
#pragma once

#include <cstdint>

#include "accountants/fourier/fourier_density.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

class PublishedLattice {
 public:
  static constexpr double density_nats = 48;  ///< of moments on the line

  /// At the working precision. @param loss outlives the lattice.
  PublishedLattice(const ComposedLoss& loss, const PublishedFourier& settings);

  const ComposedLoss& loss() const { return loss_; }
  std::uint64_t points() const { return points_; }  ///< n
  long half() const { return half_; }               ///< n / 2
  const Ball& length() const { return length_; }    ///< L
  const Ball& dx() const { return dx_; }
  double dx_near() const { return dx_near_; }
  const Ball& period() const { return period_; }  ///< 2 pi / dx
  bool one_step() const;                          ///< nothing is convolved

  /// Heuristic: the first of the heights s = 1.25^j / deviation of the composed loss, j = 0, 1,
  /// ..., where |M(t + i s)| is about e^-50 M(t) or less.
  double negligible_height(double t) const;
  /// N: how many frequencies are enclosed, up to a negligible height (heuristic).
  std::size_t frequencies() const;

  /// The aliases of the Riemann sum of a law's density, tilted by t, at heights up to s_max.
  /// @param nats a choice, as for alias_bound().
  Ball aliases(const ComposedLoss::Term& term, const Ball& t, const Ball& s_max,
               double nats = density_nats) const;
  /// The sum of dx w(x) over the lattice with x >= L or x < -L.
  Ball tail_of(const ComposedLoss::Term& term) const;
  /// What cutting every factor to [-L, L) takes from the mass of the composition.
  Ball one_step_tail() const;
  /// The mass of the n-fold convolution of p outside of [-L, L).
  Ball composed_tail() const;

 private:
  const ComposedLoss& loss_;
  double length_near_;
  std::uint64_t points_;
  long half_;
  Ball length_;
  Ball dx_;
  double dx_near_;
  Ball period_;
};

}  // namespace plaudit
