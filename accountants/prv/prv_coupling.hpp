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
  bool published = false;  ///< the stated eps_error and delta_error; otherwise the best split
  Rational eps_error{1, 100};
  std::optional<Rational> delta_error;  ///< otherwise a thousandth of delta
  bool short_lattice = false;           ///< refuse where the lattice would take more than a second
};

/// Rounded laws of all factors on one mesh, with the coupling bound for their sum.
class CoupledSum {
 public:
  /// Rounds every factor to multiples of h (an exact ball) in the window of `half` cells, less what
  /// is below e^-nats in all.
  CoupledSum(const ComposedLoss& loss, const Ball& h, long half,
             double nats = std::numeric_limits<double>::infinity());

  /// Upper bound of P(sum Y not inside all windows): part of every band.
  const Ball& tails() const { return tails_; }
  /// Upper bound of P(+-(sum X) >= r): Hoeffding's, Bennett's and that of nearly uniform errors,
  /// the best one or the first.
  Ball deviation(const Ball& r, bool hoeffding_only) const;
  /// About the deviation of sum X.
  double spread() const;
  std::size_t cells() const { return cells_; }

  /// Curve of the rounded composition at an exact point (any point when opened for `near`).
  Enclosure delta(const Ball& epsilon, double near);
  /// delta(eps) from shifts r and masses eta: [d(eps + r) - eta, d(eps - r) + eta].
  Enclosure band(const Ball& epsilon, const Ball& r, const Ball& eta);

 private:
  std::vector<RoundedFactor> factors_;
  Ball mesh_;
  Ball steps_;
  Ball tails_;
  Ball drift_;
  Ball variance_;
  Ball reach_;
  Ball offset_;       ///< |sum mu|
  Ball log_density_;  ///< sum of the logarithms of the densities
  std::size_t cells_ = 0;
  double opened_for_ = 0;
  std::optional<LatticeComposition> composed_;
};

/// log delta(epsilon) in floating point: a thousandth of it is delta_error, where none is stated.
double rough_log_delta(CumulantTable& table, double epsilon);

/// Why no coupling applies, if so.
std::optional<std::string> coupling_refusal(const ComposedLoss& loss);

std::unique_ptr<PrivacyCurve> coupling_curve(const ComposedLoss& loss, const Goal& goal,
                                             const CouplingSettings& settings);

}  // namespace plaudit
