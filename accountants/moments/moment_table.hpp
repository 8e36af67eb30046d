// The moments of one composed privacy loss, each computed once.
//
// Orders come from one fixed grid, so that all queries on a curve share them. Rounding the best
// order to the grid of 64 orders per octave raises the bound of Lemma 1 by a factor of about
// exp(K'' t^2 / 70000): half a permille where delta is 1e-5.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "accountants/cumulants/order_search.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

class MomentTable {
 public:
  /// @param bits that a sum of logs log M_i over all steps is to keep.
  explicit MomentTable(const ComposedLoss& loss, long bits = 64);

  const ComposedLoss& loss() const { return loss_; }
  /// K, K', K'' at t in floating point.
  const CumulantEstimate& estimate(double t);
  /// Encloses log M(t). M(0) and M(-1) are the exact masses, not quadratures.
  const Ball& log_mgf(double t);
  /// Takes an enclosure of log M(t) from elsewhere.
  void know(double t, Ball log_mgf) { values_.insert_or_assign(t, std::move(log_mgf)); }
  /// Bits of each log M_i: those of the sum, and log2 of the number of steps more.
  long bits() const { return bits_; }

  CumulantFunction estimates() {
    return [this](double t) { return estimate(t); };
  }

 private:
  ComposedLoss loss_;
  std::optional<ComposedLoss> sketch_;  ///< in place of very many laws, for estimates
  bool sketched_ = false;
  long bits_;
  std::map<double, CumulantEstimate> estimates_;
  std::map<double, Ball> values_;
};

/// The point of the grid nearest to t > 0.
double rounded_order(double t, int per_octave = 64);

}  // namespace plaudit
