// Sums of powers, sum_j v_j E_j^b, in machine integers: for bounds that need few digits, many times
// over. Claim: docs/certificates/straight.md#group
#pragma once

#include <cstdint>
#include <vector>

#include "accountants/proof/arithmetic/intervals.hpp"

namespace plaudit::proof {

class FixedSums {
 public:
  static constexpr long bits = 60;  ///< after the point

  /// |value| <= 1, |base| = 1. @throws Rejected where they are not known to 60 bits.
  void add(const Complex& value, const Complex& base);
  /// From b to b + 1.
  void advance();
  /// How many of these, in units of 2^-60 and falling, the modulus of the sum does not exceed.
  int below(const std::vector<std::int64_t>& thresholds) const;

 private:
  std::vector<std::int64_t> real_;
  std::vector<std::int64_t> imaginary_;
  std::vector<std::int64_t> base_real_;
  std::vector<std::int64_t> base_imaginary_;
};

}  // namespace plaudit::proof
