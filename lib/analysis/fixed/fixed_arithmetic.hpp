// Products of complex numbers in fixed point, and sums of such products: exact in whole numbers of
// limbs. What a product loses where it is stored as a number is less than a unit in each part.
// Proof: docs/proofs/straight_contour.md#sums-in-fixed-point
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lib/analysis/fixed/fixed_numbers.hpp"

namespace plaudit {

constexpr int most_limbs_of_fixed_numbers = 12;

/// Sums of parts as they are kept, signed, limbs + 1 limbs: by them dot() takes off the offsets 2.
struct FixedTotals {
  using Total = std::array<FixedNumbers::Limb, most_limbs_of_fixed_numbers + 1>;
  Total difference;  ///< of the real parts less the imaginary ones
  Total both;        ///< of the sums of both parts
};

/// Operations on numbers of so many limbs.
struct FixedArithmetic {
  /// to[k] = a[i] b[j]
  void (*product)(FixedNumbers& to, std::size_t k, const FixedNumbers& a, std::size_t i,
                  const FixedNumbers& b, std::size_t j);
  FixedTotals (*totals)(const FixedNumbers& numbers, std::size_t from, std::size_t count);
  /// The sum over j < count of a[i + j] b[k + j] times 2^exponent, exactly, from their totals too.
  ComplexBall (*dot)(const FixedNumbers& a, std::size_t i, const FixedTotals& of_a,
                     const FixedNumbers& b, std::size_t k, const FixedTotals& of_b,
                     std::size_t count, long exponent);
};

/// @param limbs from 1 to the most.
const FixedArithmetic& fixed_arithmetic(int limbs);

}  // namespace plaudit
