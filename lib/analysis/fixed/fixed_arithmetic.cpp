#include "lib/analysis/fixed/fixed_arithmetic.hpp"

#include <gmp.h>

#include <algorithm>
#include <utility>

namespace plaudit {

namespace {

using Limb = FixedNumbers::Limb;
__extension__ typedef unsigned __int128 TwoLimbs;  // NOLINT(modernize-use-using): __extension__

constexpr long bits_of_limb = 64;
constexpr long whole_bits = FixedNumbers::whole_bits;
constexpr long log_offset = 1;       ///< parts x are kept as x + 2^1
constexpr int limbs_of_library = 5;  ///< from here on GMP's products are faster; a choice

using enum FixedNumbers::Part;

/// Whole numbers of 2 limbs + 1 limbs, two's complement: sums of products of parts are exact.
template <int limbs>
using Sum = std::array<Limb, 2 * limbs + 1>;

template <std::size_t size>
void add(std::array<Limb, size>& a, const Limb* b) {
  Limb carry = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const TwoLimbs t = static_cast<TwoLimbs>(a[i]) + b[i] + carry;
    a[i] = static_cast<Limb>(t);
    carry = static_cast<Limb>(t >> bits_of_limb);
  }
}
template <std::size_t size>
void subtract(std::array<Limb, size>& a, const Limb* b) {
  Limb borrow = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const TwoLimbs t = static_cast<TwoLimbs>(a[i]) - b[i] - borrow;
    a[i] = static_cast<Limb>(t);
    borrow = static_cast<Limb>(t >> bits_of_limb) & 1;
  }
}

/// sum_j a_j b_j over count parts: column by column, or of many limbs by the library's product.
template <int limbs>
Sum<limbs> products(const Limb* a, const Limb* b, std::size_t count) {
  if constexpr (limbs >= limbs_of_library) {
    Sum<limbs> sum = {};
    Limb product[2 * limbs];
    for (std::size_t j = 0; j < count; ++j, a += limbs, b += limbs) {
      mpn_mul_n(product, a, b, limbs);
      sum[2 * limbs] += mpn_add_n(sum.data(), sum.data(), product, 2 * limbs);
    }
    return sum;
  }
  TwoLimbs column[2 * limbs - 1] = {};
  Limb carries[2 * limbs - 1] = {};
  for (std::size_t j = 0; j < count; ++j, a += limbs, b += limbs) {
    for (int i = 0; i < limbs; ++i) {
      for (int k = 0; k < limbs; ++k) {
        const TwoLimbs product = static_cast<TwoLimbs>(a[i]) * b[k];
        column[i + k] += product;
        carries[i + k] += column[i + k] < product ? 1 : 0;
      }
    }
  }
  Sum<limbs> sum = {};
  TwoLimbs carry = 0;
  for (std::size_t c = 0; c < 2 * limbs - 1; ++c) {
    // the carry into a column, and what is added to it here, are less than 2^128
    const TwoLimbs low = carry + static_cast<Limb>(column[c]);
    sum[c] = static_cast<Limb>(low);
    carry = (low >> bits_of_limb) + static_cast<Limb>(column[c] >> bits_of_limb) +
            (static_cast<TwoLimbs>(carries[c]) << bits_of_limb);
  }
  sum[2 * limbs - 1] = static_cast<Limb>(carry);
  sum[2 * limbs] = static_cast<Limb>(carry >> bits_of_limb);
  return sum;
}

template <int limbs>
FixedTotals totals(const FixedNumbers& numbers, std::size_t from, std::size_t count) {
  std::array<Limb, limbs + 1> difference = {};
  std::array<Limb, limbs + 1> both = {};
  std::array<Limb, limbs + 1> part = {};
  for (std::size_t j = from; j < from + count; ++j) {
    std::copy_n(numbers.at(part_real, j), limbs, part.begin());
    add(difference, part.data());
    std::copy_n(numbers.at(part_imaginary, j), limbs, part.begin());
    subtract(difference, part.data());
    std::copy_n(numbers.at(parts_summed, j), limbs, part.begin());
    add(both, part.data());
  }
  FixedTotals result;
  std::copy_n(difference.begin(), limbs + 1, result.difference.begin());
  std::copy_n(both.begin(), limbs + 1, result.both.begin());
  return result;
}

/// (a + b) 2, for totals a and b of parts, in the units of products of parts.
template <int limbs>
Sum<limbs> times_offset(const FixedTotals::Total& a, const FixedTotals::Total& b) {
  std::array<Limb, limbs + 1> total;
  std::copy_n(a.begin(), limbs + 1, total.begin());
  add(total, b.data());
  constexpr long down = whole_bits - log_offset;
  Sum<limbs> result = {};
  for (std::size_t i = 0; i <= limbs; ++i) {
    result[limbs - 1 + i] |= total[i] << (bits_of_limb - down);
    result[limbs + i] = total[i] >> down;
  }
  // the sign
  if ((total[limbs] >> (bits_of_limb - 1)) != 0) {
    result[2 * limbs] |= ~Limb{0} << (bits_of_limb - down);
  }
  return result;
}

/// 4 n in the units of products of parts.
template <int limbs>
Sum<limbs> offsets(std::size_t n) {
  Sum<limbs> result = {};
  result[2 * limbs - 1] = n << (bits_of_limb - 2 * whole_bits + 2 * log_offset);
  result[2 * limbs] = n >> (2 * whole_bits - 2 * log_offset);
  return result;
}

template <int limbs>
struct ComplexSum {
  Sum<limbs> real;
  Sum<limbs> imaginary;
};

// With x' = x + 2 the products are those of x and y by
//   sum x y = sum x' y' - 2 sum (x' + y') + 4 count,
// and the imaginary part comes from the product of the sums of both parts.
template <int limbs>
ComplexSum<limbs> dot(const FixedNumbers& a, std::size_t i, const FixedTotals& of_a,
                      const FixedNumbers& b, std::size_t k, const FixedTotals& of_b,
                      std::size_t count) {
  ComplexSum<limbs> sum;
  sum.real = products<limbs>(a.at(part_real, i), b.at(part_real, k), count);
  const Sum<limbs> other = products<limbs>(a.at(part_imaginary, i), b.at(part_imaginary, k), count);
  sum.imaginary = products<limbs>(a.at(parts_summed, i), b.at(parts_summed, k), count);
  subtract(sum.imaginary, sum.real.data());
  subtract(sum.imaginary, other.data());
  subtract(sum.real, other.data());
  subtract(sum.real, times_offset<limbs>(of_a.difference, of_b.difference).data());
  subtract(sum.imaginary, times_offset<limbs>(of_a.both, of_b.both).data());
  add(sum.imaginary, offsets<limbs>(2 * count).data());
  return sum;
}

/// Stores a sum of products as a part of a number, moved down by less than a unit.
template <int limbs>
void store(Sum<limbs> sum, Limb* to) {
  Sum<limbs> offset = {};
  offset[2 * limbs - 1] = Limb{1} << (bits_of_limb - 2 * whole_bits + log_offset);
  add(sum, offset.data());
  for (std::size_t i = 0; i < limbs; ++i) {
    to[i] = (sum[limbs - 1 + i] >> (bits_of_limb - whole_bits)) | (sum[limbs + i] << whole_bits);
  }
}

template <int limbs>
Ball ball_of(const Sum<limbs>& sum, long exponent) {
  fmpz_t whole;
  fmpz_init(whole);
  fmpz_set_signed_ui_array(whole, sum.data(), 2 * limbs + 1);
  Ball result;
  arb_set_fmpz(result.raw(), whole);
  fmpz_clear(whole);
  return ldexp(result, exponent - 2 * FixedNumbers::fraction_bits(limbs));
}

/// A whole number of four limbs, modulo 2^256.
struct FourLimbs {
  TwoLimbs low, high;

  /// The product of two numbers of two limbs.
  FourLimbs(const Limb* a, const Limb* b) {
    const TwoLimbs lowest = static_cast<TwoLimbs>(a[0]) * b[0];
    const TwoLimbs first = static_cast<TwoLimbs>(a[0]) * b[1] + (lowest >> bits_of_limb);
    const TwoLimbs second = static_cast<TwoLimbs>(a[1]) * b[0] + static_cast<Limb>(first);
    low = (second << bits_of_limb) | static_cast<Limb>(lowest);
    high = static_cast<TwoLimbs>(a[1]) * b[1] + (first >> bits_of_limb) + (second >> bits_of_limb);
  }

  FourLimbs& operator-=(const FourLimbs& b) {
    high -= b.high + (low < b.low ? 1 : 0);
    low -= b.low;
    return *this;
  }
  /// The product of two parts in units of a part, rounded down, modulo 2^128.
  TwoLimbs shifted() const {
    return (high << whole_bits) | (low >> (2 * bits_of_limb - whole_bits));
  }
};

TwoLimbs two_limbs(const Limb* x) { return (static_cast<TwoLimbs>(x[1]) << bits_of_limb) | x[0]; }
void put_two_limbs(TwoLimbs x, Limb* to) {
  to[0] = static_cast<Limb>(x);
  to[1] = static_cast<Limb>(x >> bits_of_limb);
}

/// to[k] = a[i] b[j], as by dot() and store(). With parts x' = x + 2 in units of e the real part is
/// (Re' Re' - Im' Im') e - 2 (Re' - Im' of both factors), the imaginary one likewise from the
/// product of the sums of both parts; 8, which is missing there, is 0 modulo 2^128 e.
void put_short_product(FixedNumbers& to, std::size_t k, const FixedNumbers& a, std::size_t i,
                       const FixedNumbers& b, std::size_t j) {
  constexpr TwoLimbs offset = static_cast<TwoLimbs>(FixedNumbers::offset) << bits_of_limb;
  FourLimbs real(a.at(part_real, i), b.at(part_real, j));
  const FourLimbs other(a.at(part_imaginary, i), b.at(part_imaginary, j));
  FourLimbs imaginary(a.at(parts_summed, i), b.at(parts_summed, j));
  imaginary -= real;
  imaginary -= other;
  real -= other;
  const TwoLimbs difference = two_limbs(a.at(part_real, i)) - two_limbs(a.at(part_imaginary, i)) +
                              two_limbs(b.at(part_real, j)) - two_limbs(b.at(part_imaginary, j));
  const TwoLimbs both = two_limbs(a.at(parts_summed, i)) + two_limbs(b.at(parts_summed, j));
  const TwoLimbs re = real.shifted() - 2 * difference + offset;
  const TwoLimbs im = imaginary.shifted() - 2 * both + offset;
  put_two_limbs(re, to.at(part_real, k));
  put_two_limbs(im, to.at(part_imaginary, k));
  put_two_limbs(re + im, to.at(parts_summed, k));
}

/// to[k] = a[i] b[j]
template <int limbs>
void put_product(FixedNumbers& to, std::size_t k, const FixedNumbers& a, std::size_t i,
                 const FixedNumbers& b, std::size_t j) {
  if constexpr (limbs == 2) {  // the usual case
    put_short_product(to, k, a, i, b, j);
  } else {
    const ComplexSum<limbs> sum =
        dot<limbs>(a, i, totals<limbs>(a, i, 1), b, j, totals<limbs>(b, j, 1), 1);
    store<limbs>(sum.real, to.at(part_real, k));
    store<limbs>(sum.imaginary, to.at(part_imaginary, k));
    to.add_parts(k);
  }
}

template <int limbs>
FixedArithmetic arithmetic_of() {
  return {put_product<limbs>, totals<limbs>,
          [](const FixedNumbers& a, std::size_t i, const FixedTotals& of_a, const FixedNumbers& b,
             std::size_t k, const FixedTotals& of_b, std::size_t count, long exponent) {
            const ComplexSum<limbs> sum = dot<limbs>(a, i, of_a, b, k, of_b, count);
            return ComplexBall(ball_of<limbs>(sum.real, exponent),
                               ball_of<limbs>(sum.imaginary, exponent));
          }};
}

}  // namespace

const FixedArithmetic& fixed_arithmetic(int limbs) {
  static const auto all = []<int... k>(std::integer_sequence<int, k...>) {
    return std::array{arithmetic_of<k + 1>()...};
  }
  (std::make_integer_sequence<int, most_limbs_of_fixed_numbers>());
  return all[static_cast<std::size_t>(limbs - 1)];
}

}  // namespace plaudit
