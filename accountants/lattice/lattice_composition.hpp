// The curve of a composition of lattice laws of one mesh, to any accuracy; and of the sum of such a
// loss and one with few values (shifts), which need not be on the lattice.
//
// docs/proofs/lattice.md#folding: with W = K mesh, z_k = t + 2 pi i k / W, the sum
//   T(eps) = (1/K) sum_k M(z_k) [e^{-z_k l0} / (1 - e^{-a z_k}) - e^{eps - (z_k+1) l0} / (1 -
//   e^{-a(z_k+1)})]
// over one period is exact up to the aliases; nothing is truncated. The values M(z_k) come from one
// radix-two transform per law (docs/proofs/fourier.md#rounding); where that is not accurate enough,
// the few that matter are summed again in balls (docs/proofs/lattice.md#spectrum) and the transform
// only bounds the others.
// Shifts s_j of mass p_j: sum_j p_j delta(eps - s_j) is one such sum, for the z_k are the same
// (docs/proofs/lattice.md#shifted).
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "accountants/accountant.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

/// No period of affordable length serves on this mesh.
class PeriodTooLong : public std::domain_error {
 public:
  PeriodTooLong(double length, std::size_t most_points);
  double length;  ///< of the period that would serve, as a loss
};

class LatticeComposition {
 public:
  /// Points of a period at most: it is the least power of two above length / mesh.
  static constexpr std::size_t longest_period = std::size_t{1} << 22;

  struct Factor {
    std::shared_ptr<const LatticeLaw> law;
    std::uint64_t count = 1;
  };

  /// A value of an independent loss that is added: e^{-loss} and its P-mass, masses of all shifts
  /// together at most 1.
  struct Shift {
    Ball decay;
    Ball p;
  };

  /// Parameters are chosen for queries near `epsilon`; every query is answered rigorously.
  /// @param nats wanted relative accuracy of delta: about e^{-nats}.
  /// @throws std::invalid_argument unless all laws have the same mesh (equal exact balls or
  /// rationals,
  ///   or the same law); PeriodTooLong.
  LatticeComposition(std::vector<Factor> factors, double epsilon, double nats);
  /// The same beside shifts, by increasing loss, at least one.
  LatticeComposition(std::vector<Factor> factors, const std::vector<Shift>& shifts, double epsilon,
                     double nats);
  ~LatticeComposition();
  LatticeComposition(LatticeComposition&&) noexcept;
  LatticeComposition& operator=(LatticeComposition&&) noexcept;

  /// Of the period that serves, as a loss (heuristic).
  double period_length() const;

  /// Encloses the total delta (mass at infinity of the lattice laws included) of the composed laws
  /// at epsilon, for all masses within their balls. The ledger has lattice.aliasing,
  /// lattice.spectrum, lattice.rounding.
  Enclosure delta(const Ball& epsilon);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plaudit
