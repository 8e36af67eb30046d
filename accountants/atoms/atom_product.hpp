// The exact curve of a composition of purely atomic laws, whatever their losses.
//
// The product is split into two halves, each a list of points (loss, P-mass); a power of a law
// with K atoms has as many points as there are multisets of its atoms. With the points of one half
// sorted, delta(eps) = sum_a p_a Delta_B(eps - l_a) is one pass over both lists, and all of its
// terms are positive. Points that are rare under the law tilted by t may be left out: what they can
// contribute is bounded by the moment that they would have had.
// Proof: docs/proofs/atom_sum.md#halves, docs/proofs/atom_sum.md#left-out
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mechanisms/composition.hpp"

namespace plaudit {

struct AtomPoints;

class AtomProduct {
 public:
  /// At the working precision; both halves leave out about e^-nats of the law tilted by `tilt`.
  /// @param tilt >= 0. @throws std::domain_error where a law has a continuous part or a half would
  ///   have too many points.
  AtomProduct(const ComposedLoss& loss, double tilt, double nats);
  ~AtomProduct();

  struct Value {
    Ball sum;       ///< encloses the contribution of the points that were kept
    Ball left_out;  ///< upper bound of what the others contribute (at least 0)
  };
  /// The finite part of delta(eps), mass at infinity excluded, lies between sum and sum + left_out.
  Value delta(const Ball& epsilon) const;

  /// Of the two lists, for the words of a band.
  std::size_t outer_points() const;
  std::size_t inner_points() const;

  /// Points in both halves together as planned at low accuracy; nothing where it does not apply.
  static std::optional<double> planned_points(const ComposedLoss& loss);

 private:
  struct Table;

  Ball tilt_;
  std::unique_ptr<AtomPoints> outer_;
  std::unique_ptr<Table> inner_;
  Ball missing_;  ///< upper bound of E[e^{tL}] over what was left out
};

}  // namespace plaudit
