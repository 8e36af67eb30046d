// The exact curve of a composition of two-point laws.
//
// For n copies of one eps the finite part is a binomial sum (Kairouz, Oh and Viswanath, 2015),
//   delta(x) = sum_{k: l_k > x} C(n,k) p^{n-k} (1-p)^k (1 - e^{x - l_k}),   l_k = (n-2k) eps,
// of which only the terms that matter are summed; the others are bounded by geometric series. For
// several eps it is the sum over all combinations (Murtagh and Vadhan, 2016), half of them
// enumerated and the other half looked up in a sorted table.
// Proof: docs/proofs/reference_methods.md#binomial, docs/proofs/reference_methods.md#product
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mechanisms/composition.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

class TwoPointSum {
 public:
  /// Null where a loss is not a TwoPointLoss or the sum would have too many terms.
  static std::unique_ptr<TwoPointSum> affordable(const ComposedLoss& loss);
  ~TwoPointSum();

  struct Value {
    Ball sum;   ///< encloses the terms summed
    Ball rest;  ///< upper bound of the terms left out
  };
  /// The delta of the composition at x with every mass at infinity taken out and the finite part
  /// normalised to 1, between sum and sum + rest; the rest is about 2^(60 - precision) of it.
  Value delta(const Ball& x);

  /// Bits that a sum loses to the number of compositions.
  long lost_bits() const;
  /// The number of terms or combinations, for the words of a band.
  std::string describe() const;

 private:
  struct Group {
    std::shared_ptr<const TwoPointLoss> loss;
    std::uint64_t count;
  };
  struct Points;
  struct Table;

  TwoPointSum(std::vector<Group> outer, std::vector<Group> inner, bool binomial);

  Value binomial(const Ball& x);
  void enumerate();

  std::vector<Group> outer_;  ///< enumerated
  std::vector<Group> inner_;  ///< in the table, or one group summed by its binomial law
  bool binomial_;
  long bits_ = 0;  ///< of the tables below
  std::unique_ptr<Points> points_;
  std::unique_ptr<Table> table_;
};

/// Whether all losses are two-point ones.
bool only_two_points(const ComposedLoss& loss);

}  // namespace plaudit
