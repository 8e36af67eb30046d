// The curve of a composition of lattice laws of one mesh, to any accuracy.
//
// What is proven, and by which theorem: accountants/proof/kinds/lattice.hpp. Which tilt, period and
// nodes: accountants/plan/lattice_plan.hpp. Laws of few points are summed at the nodes; those of
// many points come from one radix-two transform per law (accountants/lattice/lattice_spectrum.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "accountants/accountant.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/proof/kinds/lattice.hpp"
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
  /// Points at most of a period of which every value is taken.
  static constexpr std::size_t longest_period = proof::longest_period;
  /// Laws of more points are transformed.
  static constexpr std::size_t few_points = 64;

  struct Factor {
    std::shared_ptr<const LatticeLaw> law;  ///< null for noise
    std::uint64_t count = 1;
    std::optional<proof::DiscreteNoise> noise = std::nullopt;
    std::function<CumulantEstimate(double)> cumulant = {};  ///< of noise

    /// By its points at the working precision, on the coarsest mesh that has them; without points
    /// and masses where they are more than `most`.
    proof::LawOnLattice<Ball> on_lattice(std::size_t most) const;
  };

  /// Parameters are chosen for queries near `epsilon`; every query is answered rigorously.
  /// @param nats wanted relative accuracy of delta: about e^{-nats}.
  /// @throws std::domain_error where the meshes are not known to be multiples of one;
  /// PeriodTooLong.
  LatticeComposition(std::vector<Factor> factors, double epsilon, double nats);
  ~LatticeComposition();
  LatticeComposition(LatticeComposition&&) noexcept;
  LatticeComposition& operator=(LatticeComposition&&) noexcept;

  /// The least period that serves, as a loss (heuristic): the one in use may be longer.
  double period_length() const;

  /// Encloses the total delta (mass at infinity of the lattice laws included) of the composed laws
  /// at epsilon, for all masses within their balls. The ledger has lattice.right.aliasing,
  /// lattice.left.aliasing, lattice.spectrum and lattice.rounding.
  Enclosure delta(const Ball& epsilon);
  /// What proves the last band again: null where it rests on transforms.
  std::shared_ptr<const proof::Evidence> evidence() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plaudit
