// The best tests between the two laws of a dominating pair, exactly: for compositions of finite
// laws whose masses are rational numbers, the power of the best test of a rational false positive
// rate is rational, and this is it.
// Proof: docs/proofs/tradeoff.md#finite-laws
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mechanisms/composition.hpp"

namespace plaudit {

class ExactTests {
 public:
  /// Null where a factor is no finite law of rational masses, or the outcomes or their digits are
  /// too many to be written out (about a tenth of a second).
  static std::unique_ptr<ExactTests> of(const ComposedLoss& loss);

  /// The greatest P(S) of a randomised test S with Q(S) <= fpr, 0 <= fpr <= 1.
  Rational power(const Rational& fpr) const;

 private:
  /// A corner of the curve: all outcomes from some likelihood ratio on.
  struct Corner {
    Rational fpr;
    Rational power;
  };
  std::vector<Corner> corners_;  ///< by increasing fpr; from fpr = 0 to power = 1
};

}  // namespace plaudit
