// Curves of shuffled messages, enclosed from above at one loss after the other: of any local
// randomizer, and of randomized response of k values. Theorems: docs/proofs/shuffle.md#curve,
// docs/proofs/shuffle.md#categories, docs/proofs/shuffle.md#two-categories.
#pragma once

#include <cstdint>
#include <memory>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/intervals.hpp"

namespace plaudit::proof {

/// What does not depend on the loss was found at the precision at which this was made, and it is to
/// be asked at that one.
class ShuffledCurve {
 public:
  virtual ~ShuffledCurve() = default;
  /// The curve at e^loss, 0 <= loss < epsilon, is at most the upper end of this.
  virtual Interval at(const Rational& loss, Budget& budget) const = 0;
};

/// Of clones; shares of votes are counted in units of which so many are below 2^63.
inline constexpr std::uint64_t most_shuffled_users = 250'000;

/// Masses below 10^-this of the greatest of their law are bounded all together.
struct RareDigits {
  unsigned numbers = 60;  ///< in laws of how many messages are votes, or say neither value
  unsigned votes = 60;    ///< in laws of how many votes are for the one value
};

/// Proof: docs/proofs/shuffle.md#curve
std::unique_ptr<const ShuffledCurve> curve_of_clones(const Rational& epsilon, std::uint64_t users,
                                                     Budget& budget, RareDigits rare = {});
/// Of three categories or more. Proof: docs/proofs/shuffle.md#categories
std::unique_ptr<const ShuffledCurve> curve_of_categories(const Rational& epsilon,
                                                         std::uint64_t users,
                                                         std::uint64_t categories, Budget& budget,
                                                         RareDigits rare = {});
/// Of two categories: the greatest over all data sets. Proof: docs/proofs/shuffle.md#two-categories
std::unique_ptr<const ShuffledCurve> curve_of_two_values(const Rational& epsilon,
                                                         std::uint64_t users, Budget& budget);

}  // namespace plaudit::proof
