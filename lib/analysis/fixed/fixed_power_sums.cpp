#include "lib/analysis/fixed/fixed_power_sums.hpp"

#include <gmp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "lib/balls/precision.hpp"
#include "lib/balls/size_bound.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

using Limb = std::uint64_t;
__extension__ typedef unsigned __int128 TwoLimbs;  // NOLINT(modernize-use-using): __extension__

constexpr long bits_of_limb = 64;
constexpr long whole_bits = FixedNumbers::whole_bits;
constexpr long log_offset = 1;
constexpr int most_limbs = 12;
constexpr int limbs_of_library = 5;
constexpr std::size_t least_count = 4;
constexpr std::size_t widest_block = 256;
constexpr std::size_t most_entries = std::size_t{1} << 19;
constexpr long bits_of_errors = 64;

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
    // what has come so far is less than 2^128, column by column
    const TwoLimbs low = carry + static_cast<Limb>(column[c]);
    sum[c] = static_cast<Limb>(low);
    carry = (low >> bits_of_limb) + static_cast<Limb>(column[c] >> bits_of_limb) +
            (static_cast<TwoLimbs>(carries[c]) << bits_of_limb);
  }
  sum[2 * limbs - 1] = static_cast<Limb>(carry);
  sum[2 * limbs] = static_cast<Limb>(carry >> bits_of_limb);
  return sum;
}

/// Sums of parts, two's complement of limbs + 1 limbs.
struct Totals {
  std::array<Limb, most_limbs + 1> difference;  ///< of the real and the imaginary parts
  std::array<Limb, most_limbs + 1> both;
};

template <int limbs>
Totals totals(const FixedNumbers& numbers, std::size_t from, std::size_t count) {
  std::array<Limb, limbs + 1> difference = {};
  std::array<Limb, limbs + 1> both = {};
  std::array<Limb, limbs + 1> part = {};
  for (std::size_t j = from; j < from + count; ++j) {
    std::copy_n(numbers.at(real_part, j), limbs, part.begin());
    add(difference, part.data());
    std::copy_n(numbers.at(imaginary_part, j), limbs, part.begin());
    subtract(difference, part.data());
    std::copy_n(numbers.at(both_parts, j), limbs, part.begin());
    add(both, part.data());
  }
  Totals result;
  std::copy_n(difference.begin(), limbs + 1, result.difference.begin());
  std::copy_n(both.begin(), limbs + 1, result.both.begin());
  return result;
}

/// The sum of two totals times the offset, in the units of products.
template <int limbs>
Sum<limbs> times_offset(const std::array<Limb, most_limbs + 1>& a,
                        const std::array<Limb, most_limbs + 1>& b) {
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

/// n offset^2, in the units of products.
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
ComplexSum<limbs> dot(const FixedNumbers& a, std::size_t i, const Totals& of_a,
                      const FixedNumbers& b, std::size_t k, const Totals& of_b, std::size_t count) {
  ComplexSum<limbs> sum;
  sum.real = products<limbs>(a.at(real_part, i), b.at(real_part, k), count);
  const Sum<limbs> other = products<limbs>(a.at(imaginary_part, i), b.at(imaginary_part, k), count);
  sum.imaginary = products<limbs>(a.at(both_parts, i), b.at(both_parts, k), count);
  subtract(sum.imaginary, sum.real.data());
  subtract(sum.imaginary, other.data());
  subtract(sum.real, other.data());
  subtract(sum.real, times_offset<limbs>(of_a.difference, of_b.difference).data());
  subtract(sum.imaginary, times_offset<limbs>(of_a.both, of_b.both).data());
  add(sum.imaginary, offsets<limbs>(2 * count).data());
  return sum;
}

/// The sum as a part of a number: what is cut off is less than a unit.
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
  /// Without its part behind the point, modulo 2^128.
  TwoLimbs shifted() const {
    return (high << whole_bits) | (low >> (2 * bits_of_limb - whole_bits));
  }
};

TwoLimbs two_limbs(const Limb* x) { return (static_cast<TwoLimbs>(x[1]) << bits_of_limb) | x[0]; }
void put_two_limbs(TwoLimbs x, Limb* to) {
  to[0] = static_cast<Limb>(x);
  to[1] = static_cast<Limb>(x >> bits_of_limb);
}

/// to[k] = a[i] b[j], what dot() and store() do: with parts x' = x + 2, whole numbers of units e,
///   Re = (Re' Re' - Im' Im') e - 2 (Re' - Im' of both), Im likewise from the product of the sums
/// of both parts; 8 is 0 modulo 2^128 e.
void put_short_product(FixedNumbers& to, std::size_t k, const FixedNumbers& a, std::size_t i,
                       const FixedNumbers& b, std::size_t j) {
  constexpr TwoLimbs offset = static_cast<TwoLimbs>(FixedNumbers::offset) << bits_of_limb;
  FourLimbs real(a.at(real_part, i), b.at(real_part, j));
  const FourLimbs other(a.at(imaginary_part, i), b.at(imaginary_part, j));
  FourLimbs imaginary(a.at(both_parts, i), b.at(both_parts, j));
  imaginary -= real;
  imaginary -= other;
  real -= other;
  const TwoLimbs difference = two_limbs(a.at(real_part, i)) - two_limbs(a.at(imaginary_part, i)) +
                              two_limbs(b.at(real_part, j)) - two_limbs(b.at(imaginary_part, j));
  const TwoLimbs both = two_limbs(a.at(both_parts, i)) + two_limbs(b.at(both_parts, j));
  const TwoLimbs re = real.shifted() - 2 * difference + offset;
  const TwoLimbs im = imaginary.shifted() - 2 * both + offset;
  put_two_limbs(re, to.at(real_part, k));
  put_two_limbs(im, to.at(imaginary_part, k));
  put_two_limbs(re + im, to.at(both_parts, k));
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
    store<limbs>(sum.real, to.at(real_part, k));
    store<limbs>(sum.imaginary, to.at(imaginary_part, k));
    to.add_parts(k);
  }
}

/// Operations on numbers of so many limbs.
struct Arithmetic {
  /// to[k] = a[i] b[j]
  void (*product)(FixedNumbers& to, std::size_t k, const FixedNumbers& a, std::size_t i,
                  const FixedNumbers& b, std::size_t j);
  Totals (*totals)(const FixedNumbers& numbers, std::size_t from, std::size_t count);
  /// The sum over j < count of a[i + j] b[k + j], times 2^exponent.
  ComplexBall (*dot)(const FixedNumbers& a, std::size_t i, const Totals& of_a,
                     const FixedNumbers& b, std::size_t k, const Totals& of_b, std::size_t count,
                     long exponent);
};

template <int limbs>
Arithmetic arithmetic_of() {
  return {put_product<limbs>, totals<limbs>,
          [](const FixedNumbers& a, std::size_t i, const Totals& of_a, const FixedNumbers& b,
             std::size_t k, const Totals& of_b, std::size_t count, long exponent) {
            const ComplexSum<limbs> sum = dot<limbs>(a, i, of_a, b, k, of_b, count);
            return ComplexBall(ball_of<limbs>(sum.real, exponent),
                               ball_of<limbs>(sum.imaginary, exponent));
          }};
}

const Arithmetic& arithmetic(int limbs) {
  static const auto all = []<int... k>(std::integer_sequence<int, k...>) {
    return std::array{arithmetic_of<k + 1>()...};
  }
  (std::make_integer_sequence<int, most_limbs>());
  return all[static_cast<std::size_t>(limbs - 1)];
}

/// The highest limbs of the numbers: what is cut off is less than a unit of those.
FixedNumbers shortened(const FixedNumbers& numbers, int limbs) {
  FixedNumbers result(limbs, numbers.size());
  const std::ptrdiff_t spared = numbers.limbs() - limbs;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (const FixedNumbers::Part part : {real_part, imaginary_part}) {
      std::copy_n(numbers.at(part, i) + spared, limbs, result.at(part, i));
    }
    result.add_parts(i);
  }
  return result;
}

/// Reads numbers from balls.
class Reader {
 public:
  explicit Reader(int limbs) : limbs_(limbs) {
    arf_init(scaled_);
    fmpz_init(whole_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    fmpz_clear(whole_);
    arf_clear(scaled_);
  }

  /// The middles of z 2^-exponent, less than 2 each, as a number: what is cut off of each part is
  /// less than a unit. Whether anything is.
  bool read(FixedNumbers& to, std::size_t i, const ComplexBall& z, long exponent) {
    const bool real = read(to.at(real_part, i), acb_realref(z.raw()), exponent);
    const bool imaginary = read(to.at(imaginary_part, i), acb_imagref(z.raw()), exponent);
    to.add_parts(i);
    return real || imaginary;
  }

 private:
  bool read(Limb* to, arb_srcptr x, long exponent) {
    arf_mul_2exp_si(scaled_, arb_midref(x), FixedNumbers::fraction_bits(limbs_) - exponent);
    const bool cut = arf_get_fmpz(whole_, scaled_, ARF_RND_DOWN) != 0;
    const bool negative = fmpz_sgn(whole_) < 0;
    fmpz_abs(whole_, whole_);
    fmpz_get_ui_array(to, limbs_, whole_);
    if (negative) mpn_neg(to, to, limbs_);
    to[limbs_ - 1] += FixedNumbers::offset;
    return cut;
  }

  int limbs_;
  arf_t scaled_;
  fmpz_t whole_;
};

/// What is known of powers u^k of the bases: |u^k| <= size, and the number is within error of it.
struct PowerBounds {
  Ball size;
  Ball error;

  Ball of_number() const { return size + error; }
};

/// Of a product whose parts lose less than a unit each.
PowerBounds times(const PowerBounds& a, const PowerBounds& b, const Ball& unit) {
  const Ball error = a.of_number() * b.error + b.size * a.error +
                     PLAUDIT_BOUND("fixed_sums.cut_of_products", ldexp(unit, 1), Ball(0));
  return {(a.size * b.size).upper(), error.upper()};
}

double seconds_of_products(int limbs, std::size_t count) {
  constexpr double seconds_of_product = 1e-8;
  constexpr double seconds_of_limbs = 2e-9;
  return static_cast<double>(count) * (seconds_of_product + seconds_of_limbs * limbs * limbs);
}

/// The terms of which the middles of balls are the numbers; nothing where they are too large.
std::optional<FixedTerms> terms_of(const std::vector<ComplexBall>& weights,
                                   const std::vector<ComplexBall>& bases, int limbs) {
  SizeBound size;
  SizeBound radii;
  SizeBound radius_of_bases;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    size.add_size(weights[j]);
    radii.add_radius(weights[j]);
    SizeBound of_base;
    of_base.add_size(bases[j]);
    if (!of_base.is_less_than_two()) return std::nullopt;
    SizeBound radius;
    radius.add_radius(bases[j]);
    radius_of_bases.raise_to(radius);
  }
  const Ball total = size.ball();
  if (!total.is_finite() || total.is_exact_zero()) return std::nullopt;
  fmpz_t exponent_of_total;
  fmpz_init(exponent_of_total);
  arf_abs_bound_lt_2exp_fmpz(exponent_of_total, arb_midref(total.raw()));
  const bool usual = fmpz_bits(exponent_of_total) < 40;
  const long exponent = usual ? fmpz_get_si(exponent_of_total) : 0;
  fmpz_clear(exponent_of_total);
  if (!usual) return std::nullopt;

  FixedTerms terms{
      FixedNumbers(limbs, weights.size()), FixedNumbers(limbs, bases.size()), exponent, {}, {}, {}};
  Reader reader(limbs);
  long weights_cut = 0;
  bool bases_cut = false;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (reader.read(terms.weights, j, weights[j], exponent)) weights_cut += 1;
    if (reader.read(terms.bases, j, bases[j], 0)) bases_cut = true;
  }
  const PrecisionScope of_errors(bits_of_errors);
  const Ball cut = ldexp(FixedNumbers::unit(limbs), 1);
  terms.size_of_weights = ldexp(total, -exponent).upper();
  terms.error_of_weights =
      (ldexp(radii.ball(), -exponent) +
       PLAUDIT_BOUND("fixed_sums.cut_of_weights", Ball(weights_cut) * cut, Ball(0)))
          .upper();
  terms.error_of_bases = radius_of_bases.ball();
  if (bases_cut) {
    terms.error_of_bases =
        (terms.error_of_bases + PLAUDIT_BOUND("fixed_sums.cut_of_bases", cut, Ball(0))).upper();
  }
  return terms;
}

class FixedSums {
 public:
  FixedSums(const FixedTerms& terms, std::size_t count)
      : terms_(terms),
        count_(count),
        limbs_(terms.bases.limbs()),
        unit_(FixedNumbers::unit(limbs_)) {
    while (steps_ * steps_ < count) ++steps_;
    strides_ = (count + steps_ - 1) / steps_;
  }

  std::size_t steps() const { return steps_; }

  /// The bounds of all errors; false where the numbers would be too large.
  /// @param limbs_of_row for each row of `steps` sums.
  bool prepare(const std::vector<int>& limbs_of_row) {
    const PrecisionScope of_errors(bits_of_errors);
    PowerBounds base{greatest_modulus(terms_.bases) + terms_.error_of_bases, terms_.error_of_bases};
    const std::vector<PowerBounds> of_small = bounds_of_powers(base, steps_ + 1);
    const std::vector<PowerBounds> of_large = bounds_of_powers(of_small[steps_], strides_);
    for (const auto& all : {of_small, of_large}) {
      for (const PowerBounds& each : all) {
        if (!certainly_less(each.of_number(), Ball(1.75))) return false;
      }
    }
    const Ball points(terms_.weights.size());
    const Ball& size_of_weights = terms_.size_of_weights;
    for (std::size_t b = 0; b < strides_; ++b) {
      // of the numbers that fewer limbs leave
      const Ball shorter =
          limbs_of_row[b] < limbs_ ? ldexp(FixedNumbers::unit(limbs_of_row[b]), 1) : Ball(0);
      const PowerBounds& turned = of_large[b];
      const Ball error_of_scaled =
          PLAUDIT_BOUND("fixed_sums.weights", terms_.error_of_weights * turned.of_number(),
                        Ball(0)) +
          PLAUDIT_BOUND("fixed_sums.large_powers", size_of_weights * turned.error, Ball(0)) +
          points *
              (ldexp(unit_, 1) + PLAUDIT_BOUND("fixed_sums.shorter_weights", shorter, Ball(0)));
      if (!certainly_less(error_of_scaled + size_of_weights * turned.size, Ball(1.75)))
        return false;
      for (std::size_t a = 0; a < steps_ && b * steps_ + a < count_; ++a) {
        const Ball error_of_power =
            of_small[a].error + PLAUDIT_BOUND("fixed_sums.shorter_powers", shorter, Ball(0));
        const Ball error = error_of_scaled * (of_small[a].size + error_of_power) +
                           PLAUDIT_BOUND("fixed_sums.small_powers",
                                         size_of_weights * turned.size * error_of_power, Ball(0));
        errors_.push_back(ldexp(error, terms_.exponent).upper());
      }
    }
    return true;
  }

  /// Adds the sums over the bases from `begin`.
  void add_block(std::vector<ComplexBall>& result, std::size_t begin, std::size_t width,
                 const std::vector<int>& limbs_of_row) const {
    FixedNumbers small(limbs_, (steps_ + 1) * width);
    FixedNumbers large(limbs_, strides_ * width);
    FixedNumbers scaled(limbs_, width);
    copy(terms_.bases, begin, small, width, width);
    powers(small, width, steps_ + 1);
    if (strides_ > 1) {
      copy(small, steps_ * width, large, width, width);
      powers(large, width, strides_);
    }
    const Arithmetic& full = arithmetic(limbs_);
    // of as many limbs as the rows ask for, row after row
    std::optional<FixedNumbers> fewer;
    const FixedNumbers* powers_here = &small;
    std::vector<Totals> of_powers = totals_of_rows(small, width);
    for (std::size_t b = 0; b < strides_; ++b) {
      count_work(seconds_of_products(limbs_of_row[b], width * steps_));
      check_work_limit();
      if (b == 0) {
        copy(terms_.weights, begin, scaled, 0, width);
      } else {
        for (std::size_t c = 0; c < width; ++c) {
          full.product(scaled, c, terms_.weights, begin + c, large, b * width + c);
        }
      }
      const int limbs = limbs_of_row[b];
      if (limbs != powers_here->limbs()) {
        fewer = shortened(small, limbs);
        powers_here = &*fewer;
        of_powers = totals_of_rows(*fewer, width);
      }
      std::optional<FixedNumbers> fewer_scaled;
      if (limbs < limbs_) fewer_scaled = shortened(scaled, limbs);
      const FixedNumbers& scaled_here = fewer_scaled ? *fewer_scaled : scaled;
      const Arithmetic& here = arithmetic(limbs);
      const Totals of_scaled = here.totals(scaled_here, 0, width);
      for (std::size_t a = 0; a < steps_ && b * steps_ + a < count_; ++a) {
        result[b * steps_ + a] += here.dot(scaled_here, 0, of_scaled, *powers_here, a * width,
                                           of_powers[a], width, terms_.exponent);
      }
    }
  }

  /// The sums are off by that much.
  void widen(std::vector<ComplexBall>& result) const {
    for (std::size_t k = 0; k < count_; ++k) result[k] = widened(result[k], errors_[k]);
  }

 private:
  /// Powers are made by halving the exponent: the numbers of row k of `rows` are those of its row 1
  /// to the k.
  void powers(FixedNumbers& rows, std::size_t width, std::size_t count) const {
    const Arithmetic& full = arithmetic(limbs_);
    Reader(limbs_).read(rows, 0, ComplexBall(Ball(1)), 0);
    for (std::size_t c = 1; c < width; ++c) copy(rows, 0, rows, c, 1);
    for (std::size_t k = 2; k < count; ++k) {
      const std::size_t half = k / 2;
      for (std::size_t c = 0; c < width; ++c) {
        full.product(rows, k * width + c, rows, half * width + c, rows, (k - half) * width + c);
      }
    }
  }
  std::vector<PowerBounds> bounds_of_powers(const PowerBounds& base, std::size_t count) const {
    std::vector<PowerBounds> bounds{{Ball(1), Ball(0)}, base};
    for (std::size_t k = 2; k < count; ++k) {
      bounds.push_back(times(bounds[k / 2], bounds[k - k / 2], unit_));
    }
    return bounds;
  }

  static void copy(const FixedNumbers& from, std::size_t first, FixedNumbers& to, std::size_t at,
                   std::size_t count) {
    for (const FixedNumbers::Part part : {real_part, imaginary_part, both_parts}) {
      std::copy_n(from.at(part, first), count * static_cast<std::size_t>(from.limbs()),
                  to.at(part, at));
    }
  }

  std::vector<Totals> totals_of_rows(const FixedNumbers& rows, std::size_t width) const {
    std::vector<Totals> result;
    const Arithmetic& here = arithmetic(rows.limbs());
    for (std::size_t k = 0; k < steps_; ++k) result.push_back(here.totals(rows, k * width, width));
    return result;
  }

  /// At least the greatest modulus of the numbers, from the highest limb of each part.
  static Ball greatest_modulus(const FixedNumbers& numbers) {
    TwoLimbs greatest = 0;
    const auto size = [&](FixedNumbers::Part part, std::size_t i) {
      const Limb highest = numbers.at(part, i)[numbers.limbs() - 1];
      // the limbs below may take x farther from 0 by less than 1
      return highest >= FixedNumbers::offset ? highest - FixedNumbers::offset + 1
                                             : FixedNumbers::offset - highest;
    };
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const TwoLimbs re = size(real_part, i);
      const TwoLimbs im = size(imaginary_part, i);
      greatest = std::max(greatest, re * re + im * im);  // parts are below 2^63
    }
    const Ball square(static_cast<Limb>(greatest >> bits_of_limb) + 1);  // in units of 2^64
    return sqrt(ldexp(square, 2 * whole_bits - bits_of_limb)).upper();
  }

  const FixedTerms& terms_;
  std::size_t count_;
  int limbs_;
  Ball unit_;
  std::size_t steps_ = 1;
  std::size_t strides_ = 1;
  std::vector<Ball> errors_;
};

int limbs_for(long bits, int most) {
  const long limbs = (bits + whole_bits + bits_of_limb - 1) / bits_of_limb;
  return static_cast<int>(std::clamp<long>(limbs, 1, most));
}

}  // namespace

// Proof: docs/proofs/straight_contour.md#sums-in-fixed-point
std::optional<std::vector<ComplexBall>> fixed_power_sums(const FixedTerms& terms, std::size_t count,
                                                         const std::vector<long>& bits) {
  if (!bits.empty() && bits.size() != count) throw std::logic_error("power_sums: lengths differ");
  if (count < least_count) return std::nullopt;
  const int limbs = terms.bases.limbs();
  FixedSums sums(terms, count);
  std::vector<int> limbs_of_row;
  for (std::size_t from = 0; from < count; from += sums.steps()) {
    long needed = working_precision();
    if (!bits.empty()) {
      const auto first = bits.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end =
          bits.begin() + static_cast<std::ptrdiff_t>(std::min(from + sums.steps(), count));
      needed = std::min(needed, *std::max_element(first, end));
    }
    limbs_of_row.push_back(limbs_for(needed, limbs));
  }
  if (!sums.prepare(limbs_of_row)) return std::nullopt;
  const std::size_t size = terms.bases.size();
  const std::size_t block =
      std::clamp<std::size_t>(std::min(most_entries / (sums.steps() + 1), size), 1, widest_block);
  std::vector<ComplexBall> result(count);
  for (std::size_t begin = 0; begin < size; begin += block) {
    sums.add_block(result, begin, std::min(block, size - begin), limbs_of_row);
  }
  sums.widen(result);
  return result;
}

std::optional<std::vector<ComplexBall>> fixed_power_sums(const std::vector<ComplexBall>& weights,
                                                         const std::vector<ComplexBall>& bases,
                                                         std::size_t count,
                                                         const std::vector<long>& bits) {
  const long most_bits = working_precision();
  if (count < least_count || weights.empty() || most_bits > bits_of_limb * most_limbs) {
    return std::nullopt;
  }
  const auto terms = terms_of(weights, bases, limbs_for(most_bits, most_limbs));
  return terms ? fixed_power_sums(*terms, count, bits) : std::nullopt;
}

}  // namespace plaudit
