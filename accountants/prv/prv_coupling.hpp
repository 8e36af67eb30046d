// The curve by coupling bounds: rounded losses, composed, with the sum of the rounding errors kept
// small by concentration (Gopi, Lee, Wutschitz, Theorem 5.5, and sharper).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "accountants/accountant.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/lattice/lattice_composition.hpp"
#include "accountants/prv/prv_rounding.hpp"

namespace plaudit {

struct CouplingSettings {
  bool published = false;  ///< shift and mass are the two errors; else about the best shift
  Rational eps_error{1, 100};
  std::optional<Rational> delta_error;  ///< otherwise a thousandth of delta
  bool short_lattice = false;           ///< refuse where the lattice would take more than a second
};

/// Rounded laws of all factors on one mesh, with the coupling bound for their sum.
class CoupledSum {
 public:
  /// Rounds every factor to multiples of h (an exact ball), in a window of `half` cells on each
  /// side of 0, which ends earlier where only about e^-nats of all factors lies beyond.
  CoupledSum(const ComposedLoss& loss, const Ball& h, long half,
             double nats = std::numeric_limits<double>::infinity());

  /// eta_T: upper bound of the sum of P(Y_i outside its window), a part of every band.
  const Ball& tails() const { return tails_; }
  /// Upper bound of P(sum X >= r) and of P(sum X <= -r), X the rounding errors: the least of those
  /// of Hoeffding, of Bennett and for nearly uniform errors, or the first.
  Ball deviation(const Ball& r, bool hoeffding_only) const;
  /// Standard deviation of sum X, or a little more.
  double spread() const;
  std::size_t cells() const { return cells_; }

  /// Encloses the curve of the rounded composition, by a lattice that is made for epsilons about
  /// `near` and kept for those next to it.
  Enclosure delta(const Ball& epsilon, double near);
  /// The same by the lattice at hand, where that gives two digits or is certainly off the target
  /// by a factor of 2; else by one that is made for this epsilon.
  Enclosure delta_beside(const Ball& epsilon, const Ball& target);
  /// Makes the lattice for this epsilon, more accurate than usual where the usual one falls short
  /// of what it was made for, as it does where the saddle point misleads (heuristic).
  void sharpen(double epsilon);
  /// delta(eps) from shifts r and masses eta, and eta_T beyond the window:
  /// [d(eps + r) - eta_T - eta, d(eps - r) + eta_T + eta].
  Enclosure band(const Ball& epsilon, const Ball& r, const Ball& eta);

 private:
  /// Makes the lattice for epsilons about `near`, unless it is made for that one.
  void aim(double near, double nats);

  std::vector<RoundedFactor> factors_;
  Ball mesh_;
  Ball steps_;
  Ball tails_;
  Ball drift_;        ///< kappa: |E sum X| is at most this
  Ball variance_;     ///< V, of sum X
  Ball reach_;        ///< b: |X - E X| is at most this in every step
  Ball offset_;       ///< |sum mu|
  Ball log_density_;  ///< sum of the logarithms of h times the densities of single errors
  std::size_t cells_ = 0;
  double opened_for_ = 0;
  double opened_nats_ = 0;
  std::optional<LatticeComposition> composed_;
};

/// log delta(epsilon) in floating point. (Where no delta_error is stated, it is delta / 1000.)
double rough_log_delta(CumulantTable& table, double epsilon);

/// Why no coupling applies, if so.
std::optional<std::string> coupling_refusal(const ComposedLoss& loss);

std::unique_ptr<PrivacyCurve> coupling_curve(const ComposedLoss& loss, const Goal& goal,
                                             const CouplingSettings& settings);

}  // namespace plaudit
