// Vectors of complex numbers with parts below 2 in fixed point, for power sums.
// Proof: docs/proofs/straight_contour.md#sums-in-fixed-point
#pragma once

#include <gmp.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// Each part x, |x| < 2, is kept as x + 2 in units of 2^-(64 limbs - 3), the lowest limb first, and
/// beside them the sum of both.
class FixedNumbers {
 public:
  using Limb = mp_limb_t;
  enum Part { part_real, part_imaginary, parts_summed };
  static constexpr long whole_bits = 3;
  /// What is added to the highest limb: 2.
  static constexpr Limb offset = Limb{1} << (64 - whole_bits + 1);

  FixedNumbers(int limbs, std::size_t size)
      : limbs_(static_cast<std::size_t>(limbs)), size_(size), all_(parts * limbs_ * size) {}

  int limbs() const { return static_cast<int>(limbs_); }
  std::size_t size() const { return size_; }
  Limb* at(Part part, std::size_t i) { return all_.data() + limbs_ * (part * size_ + i); }
  const Limb* at(Part part, std::size_t i) const {
    return all_.data() + limbs_ * (part * size_ + i);
  }
  /// Writes the sum of both parts of number i; to be called after the parts were written.
  void add_parts(std::size_t i) {
    mpn_add_n(at(parts_summed, i), at(part_real, i), at(part_imaginary, i), limbs());
  }
  /// Writes 1.
  void set_one(std::size_t i);
  /// Copies of `count` numbers of as many limbs, from `first` there, to `i` here and beyond.
  void copy(std::size_t i, const FixedNumbers& from, std::size_t first, std::size_t count);
  /// The numbers rounded down to fewer limbs: each part by less than a unit of the new ones.
  FixedNumbers shortened(int limbs) const;
  /// At least the greatest modulus of the numbers, from the highest limb of each part.
  Ball greatest_modulus() const;
  /// The number i itself.
  ComplexBall value(std::size_t i) const;

  static long fraction_bits(int limbs) { return 64L * limbs - whole_bits; }
  static Ball unit(int limbs) { return ldexp(Ball(1), -fraction_bits(limbs)); }

 private:
  static constexpr std::size_t parts = 3;
  std::size_t limbs_;
  std::size_t size_;
  std::vector<Limb> all_;
};

/// Terms g_j u_j^k: numbers g'_j and u'_j in fixed point and bounds of their errors. |.|_1 is the
/// sum of the moduli of both parts; g_j and g'_j are in units of 2^exponent.
struct FixedTerms {
  FixedNumbers weights;
  FixedNumbers bases;
  long exponent;
  Ball size_of_weights;   ///< at least sum_j |g_j|_1
  Ball error_of_weights;  ///< at least sum_j |g_j - g'_j|
  Ball error_of_bases;    ///< at least each |u_j - u'_j|

  /// A ball that contains g_j, or u_j.
  ComplexBall weight(std::size_t j) const;
  ComplexBall base(std::size_t j) const;
};

}  // namespace plaudit
