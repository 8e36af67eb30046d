#include "lib/analysis/fixed_power_sums.hpp"

#include <gmp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

using Limb = std::uint64_t;
__extension__ typedef unsigned __int128 TwoLimbs;

constexpr long bits_of_limb = 64;
/// Bits of a number before the point. Parts x of numbers, |x| < 2, are kept as x + 2, which is not
/// negative, and beside them the sum of both.
constexpr long whole_bits = 3;
constexpr long log_offset = 1;
constexpr int most_limbs = 12;
constexpr int limbs_of_library = 5;
constexpr std::size_t least_count = 4;
constexpr std::size_t widest_block = 256;
constexpr std::size_t most_entries = std::size_t{1} << 19;
constexpr long bits_of_errors = 64;

long fraction_bits(int limbs) { return bits_of_limb * limbs - whole_bits; }
Ball unit(int limbs) { return ldexp(Ball(1), -fraction_bits(limbs)); }

enum Part { real_part, imaginary_part, both_parts };
constexpr std::size_t parts = 3;

/// Complex numbers, each part so many limbs, the lowest first.
class Numbers {
 public:
  Numbers(int limbs, std::size_t size)
      : limbs_(static_cast<std::size_t>(limbs)), size_(size), all_(parts * limbs_ * size) {}

  int limbs() const { return static_cast<int>(limbs_); }
  std::size_t size() const { return size_; }
  Limb* at(Part part, std::size_t i) { return all_.data() + limbs_ * (part * size_ + i); }
  const Limb* at(Part part, std::size_t i) const {
    return all_.data() + limbs_ * (part * size_ + i);
  }

 private:
  std::size_t limbs_;
  std::size_t size_;
  std::vector<Limb> all_;
};

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
Totals totals(const Numbers& numbers, std::size_t from, std::size_t count) {
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
ComplexSum<limbs> dot(const Numbers& a, std::size_t i, const Totals& of_a, const Numbers& b,
                      std::size_t k, const Totals& of_b, std::size_t count) {
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

void add_parts(Numbers& numbers, std::size_t i) {
  mpn_add_n(numbers.at(both_parts, i), numbers.at(real_part, i), numbers.at(imaginary_part, i),
            numbers.limbs());
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
  return ldexp(result, exponent - 2 * fraction_bits(limbs));
}

/// A whole number of four limbs, two's complement.
struct FourLimbs {
  TwoLimbs high, low;

  FourLimbs operator-() const {
    const TwoLimbs rest = TwoLimbs{0} - low;
    return {~high + (rest == 0 ? 1 : 0), rest};
  }
  FourLimbs operator+(const FourLimbs& b) const {
    const TwoLimbs sum = low + b.low;
    return {high + b.high + (sum < low ? 1 : 0), sum};
  }
};

/// A part of two limbs without its offset, |x| < 2^126: nothing below overflows.
struct ShortPart {
  TwoLimbs size;
  bool negative;

  explicit ShortPart(const Limb* from) {
    constexpr TwoLimbs offset = TwoLimbs{1} << (2 * bits_of_limb - whole_bits + log_offset);
    const TwoLimbs shifted = (static_cast<TwoLimbs>(from[1]) << bits_of_limb) | from[0];
    negative = shifted < offset;
    size = negative ? offset - shifted : shifted - offset;
  }

  FourLimbs operator*(const ShortPart& b) const {
    const auto low = static_cast<Limb>(size);
    const auto high = static_cast<Limb>(size >> bits_of_limb);
    const auto b_low = static_cast<Limb>(b.size);
    const auto b_high = static_cast<Limb>(b.size >> bits_of_limb);
    const TwoLimbs lowest = static_cast<TwoLimbs>(low) * b_low;
    const TwoLimbs middle = static_cast<TwoLimbs>(low) * b_high +
                            static_cast<TwoLimbs>(high) * b_low + (lowest >> bits_of_limb);
    const FourLimbs product{static_cast<TwoLimbs>(high) * b_high + (middle >> bits_of_limb),
                            (middle << bits_of_limb) | static_cast<Limb>(lowest)};
    return negative != b.negative ? -product : product;
  }
};

/// What store() does.
void store_short(const FourLimbs& sum, Limb* to) {
  constexpr TwoLimbs offset = TwoLimbs{1} << (2 * bits_of_limb - whole_bits + log_offset);
  const TwoLimbs part =
      ((sum.high << whole_bits) | (sum.low >> (2 * bits_of_limb - whole_bits))) + offset;
  to[0] = static_cast<Limb>(part);
  to[1] = static_cast<Limb>(part >> bits_of_limb);
}

/// to[k] = a[i] b[j]
template <int limbs>
void put_product(Numbers& to, std::size_t k, const Numbers& a, std::size_t i, const Numbers& b,
                 std::size_t j) {
  if constexpr (limbs == 2) {  // the usual case, without the detour by what is not negative
    const ShortPart a_real(a.at(real_part, i));
    const ShortPart a_imaginary(a.at(imaginary_part, i));
    const ShortPart b_real(b.at(real_part, j));
    const ShortPart b_imaginary(b.at(imaginary_part, j));
    store_short(a_real * b_real + -(a_imaginary * b_imaginary), to.at(real_part, k));
    store_short(a_real * b_imaginary + a_imaginary * b_real, to.at(imaginary_part, k));
  } else {
    const ComplexSum<limbs> sum =
        dot<limbs>(a, i, totals<limbs>(a, i, 1), b, j, totals<limbs>(b, j, 1), 1);
    store<limbs>(sum.real, to.at(real_part, k));
    store<limbs>(sum.imaginary, to.at(imaginary_part, k));
  }
  add_parts(to, k);
}

/// Operations on numbers of so many limbs.
struct Arithmetic {
  /// to[k] = a[i] b[j]
  void (*product)(Numbers& to, std::size_t k, const Numbers& a, std::size_t i, const Numbers& b,
                  std::size_t j);
  Totals (*totals)(const Numbers& numbers, std::size_t from, std::size_t count);
  /// The sum over j < count of a[i + j] b[k + j], times 2^exponent.
  ComplexBall (*dot)(const Numbers& a, std::size_t i, const Totals& of_a, const Numbers& b,
                     std::size_t k, const Totals& of_b, std::size_t count, long exponent);
};

template <int limbs>
Arithmetic arithmetic_of() {
  return {put_product<limbs>, totals<limbs>,
          [](const Numbers& a, std::size_t i, const Totals& of_a, const Numbers& b, std::size_t k,
             const Totals& of_b, std::size_t count, long exponent) {
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
Numbers shortened(const Numbers& numbers, int limbs) {
  Numbers result(limbs, numbers.size());
  const std::ptrdiff_t spared = numbers.limbs() - limbs;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (const Part part : {real_part, imaginary_part}) {
      std::copy_n(numbers.at(part, i) + spared, limbs, result.at(part, i));
    }
    add_parts(result, i);
  }
  return result;
}

/// Sums and maxima of sizes, rounded up.
class Size {
 public:
  Size() { mag_init(value_); }
  Size(const Size&) = delete;
  Size& operator=(const Size&) = delete;
  ~Size() { mag_clear(value_); }

  /// Upper bounds of the radius, and of the modulus, of both parts together.
  void add_radius(const ComplexBall& z) {
    mag_add(value_, value_, arb_radref(acb_realref(z.raw())));
    mag_add(value_, value_, arb_radref(acb_imagref(z.raw())));
  }
  void add_size(const ComplexBall& z) {
    Size part;
    arb_get_mag(part.value_, acb_realref(z.raw()));
    mag_add(value_, value_, part.value_);
    arb_get_mag(part.value_, acb_imagref(z.raw()));
    mag_add(value_, value_, part.value_);
  }
  void raise_to(const Size& other) {
    if (mag_cmp(value_, other.value_) < 0) mag_set(value_, other.value_);
  }
  Ball ball() const {
    Ball result;
    arf_set_mag(arb_midref(result.raw()), value_);
    return result;
  }
  bool is_less_than_two() const { return mag_cmp_2exp_si(value_, 1) < 0; }

 private:
  mag_t value_;
};

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
  bool read(Numbers& to, std::size_t i, const ComplexBall& z, long exponent) {
    const bool real = read(to.at(real_part, i), acb_realref(z.raw()), exponent);
    const bool imaginary = read(to.at(imaginary_part, i), acb_imagref(z.raw()), exponent);
    add_parts(to, i);
    return real || imaginary;
  }

 private:
  bool read(Limb* to, arb_srcptr x, long exponent) {
    arf_mul_2exp_si(scaled_, arb_midref(x), fraction_bits(limbs_) - exponent);
    const bool cut = arf_get_fmpz(whole_, scaled_, ARF_RND_DOWN) != 0;
    const bool negative = fmpz_sgn(whole_) < 0;
    fmpz_abs(whole_, whole_);
    fmpz_get_ui_array(to, limbs_, whole_);
    if (negative) mpn_neg(to, to, limbs_);
    to[limbs_ - 1] += Limb{1} << (bits_of_limb - whole_bits + log_offset);
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

class FixedSums {
 public:
  FixedSums(const std::vector<ComplexBall>& weights, const std::vector<ComplexBall>& bases,
            std::size_t count, int limbs, long exponent)
      : weights_(weights),
        bases_(bases),
        count_(count),
        limbs_(limbs),
        exponent_(exponent),
        unit_(unit(limbs)),
        bits_of_results_(working_precision()) {
    while (steps_ * steps_ < count) ++steps_;
    strides_ = (count + steps_ - 1) / steps_;
  }

  std::size_t steps() const { return steps_; }

  /// Adds the sums over the bases from `begin`; false where the numbers would be too large.
  /// @param limbs_of_row for each row of `steps` sums.
  bool add_block(std::vector<ComplexBall>& result, std::size_t begin, std::size_t width,
                 const std::vector<int>& limbs_of_row) const {
    const PrecisionScope of_errors(bits_of_errors);
    Numbers weights(limbs_, width);
    Numbers small(limbs_, (steps_ + 1) * width);
    Numbers large(limbs_, strides_ * width);
    Numbers scaled(limbs_, width);
    Size weights_size;
    Size weights_radius;
    Size bases_radius;
    long weights_cut = 0;
    bool bases_cut = false;
    Reader reader(limbs_);
    for (std::size_t c = 0; c < width; ++c) {
      const ComplexBall& weight = weights_[begin + c];
      const ComplexBall& u = bases_[begin + c];
      weights_size.add_size(weight);
      weights_radius.add_radius(weight);
      Size radius;
      radius.add_radius(u);
      bases_radius.raise_to(radius);
      if (reader.read(weights, c, weight, exponent_)) weights_cut += 1;
      if (reader.read(small, width + c, u, 0)) bases_cut = true;
    }
    const Ball size_of_weights = ldexp(weights_size.ball(), -exponent_).upper();
    const Ball cut = ldexp(unit_, 1);
    const Ball error_of_weights =
        (ldexp(weights_radius.ball(), -exponent_) +
         PLAUDIT_BOUND("fixed_sums.cut_of_weights", Ball(weights_cut) * cut, Ball(0)))
            .upper();
    PowerBounds base{Ball(0), bases_radius.ball()};
    if (bases_cut) {
      base.error = (base.error + PLAUDIT_BOUND("fixed_sums.cut_of_bases", cut, Ball(0))).upper();
    }
    base.size = greatest_modulus(small, width, width) + base.error;

    std::vector<PowerBounds> of_small = powers(small, width, steps_ + 1, base);
    copy(small, steps_ * width, large, width, width);
    std::vector<PowerBounds> of_large = powers(large, width, strides_, of_small[steps_]);
    for (const auto& all : {of_small, of_large}) {
      for (const PowerBounds& each : all) {
        if (!certainly_less(each.of_number(), Ball(1.75))) return false;
      }
    }

    const Ball points(width);
    const Arithmetic& full = arithmetic(limbs_);
    // of as many limbs as the rows ask for, row after row
    std::optional<Numbers> fewer;
    const Numbers* powers_here = &small;
    std::vector<Totals> of_powers = totals_of_rows(small, width);
    for (std::size_t b = 0; b < strides_; ++b) {
      count_work(seconds_of_products(limbs_of_row[b], width * steps_));
      check_work_limit();
      for (std::size_t c = 0; c < width; ++c) {
        full.product(scaled, c, weights, c, large, b * width + c);
      }
      const int limbs = limbs_of_row[b];
      // of the numbers that fewer limbs leave
      const Ball shorter = limbs < limbs_ ? ldexp(unit(limbs), 1) : Ball(0);
      const PowerBounds& turned = of_large[b];
      const Ball error_of_scaled =
          PLAUDIT_BOUND("fixed_sums.weights", error_of_weights * turned.of_number(), Ball(0)) +
          PLAUDIT_BOUND("fixed_sums.large_powers", size_of_weights * turned.error, Ball(0)) +
          points *
              (ldexp(unit_, 1) + PLAUDIT_BOUND("fixed_sums.shorter_weights", shorter, Ball(0)));
      if (!certainly_less(error_of_scaled + size_of_weights * turned.size, Ball(1.75)))
        return false;
      if (limbs != powers_here->limbs()) {
        fewer = shortened(small, limbs);
        powers_here = &*fewer;
        of_powers = totals_of_rows(*fewer, width);
      }
      std::optional<Numbers> fewer_scaled;
      if (limbs < limbs_) fewer_scaled = shortened(scaled, limbs);
      const Numbers& scaled_here = fewer_scaled ? *fewer_scaled : scaled;
      const Arithmetic& here = arithmetic(limbs);
      const Totals of_scaled = here.totals(scaled_here, 0, width);
      for (std::size_t a = 0; a < steps_ && b * steps_ + a < count_; ++a) {
        const Ball error_of_power =
            of_small[a].error + PLAUDIT_BOUND("fixed_sums.shorter_powers", shorter, Ball(0));
        const Ball error = error_of_scaled * (of_small[a].size + error_of_power) +
                           PLAUDIT_BOUND("fixed_sums.small_powers",
                                         size_of_weights * turned.size * error_of_power, Ball(0));
        const ComplexBall sum = here.dot(scaled_here, 0, of_scaled, *powers_here, a * width,
                                         of_powers[a], width, exponent_);
        const PrecisionScope whole(bits_of_results_);
        result[b * steps_ + a] += widened(sum, ldexp(error, exponent_).upper());
      }
    }
    return true;
  }

 private:
  /// Row k of `rows`: the powers k of its row 1, by halving the exponent.
  std::vector<PowerBounds> powers(Numbers& rows, std::size_t width, std::size_t count,
                                  const PowerBounds& base) const {
    const Arithmetic& full = arithmetic(limbs_);
    std::vector<PowerBounds> bounds;
    for (std::size_t k = 0; k < count; ++k) {
      if (k == 0) {
        bounds.push_back({Ball(1), Ball(0)});
        Reader(limbs_).read(rows, 0, ComplexBall(Ball(1)), 0);
        for (std::size_t c = 1; c < width; ++c) {
          for (const Part part : {real_part, imaginary_part, both_parts}) {
            std::copy_n(rows.at(part, 0), limbs_, rows.at(part, c));
          }
        }
        continue;
      }
      if (k == 1) {
        bounds.push_back(base);
        continue;
      }
      const std::size_t half = k / 2;
      bounds.push_back(times(bounds[half], bounds[k - half], unit_));
      for (std::size_t c = 0; c < width; ++c) {
        full.product(rows, k * width + c, rows, half * width + c, rows, (k - half) * width + c);
      }
    }
    return bounds;
  }

  void copy(const Numbers& from, std::size_t first, Numbers& to, std::size_t at,
            std::size_t count) const {
    if (strides_ < 2) return;
    for (const Part part : {real_part, imaginary_part, both_parts}) {
      std::copy_n(from.at(part, first), count * static_cast<std::size_t>(limbs_), to.at(part, at));
    }
  }

  std::vector<Totals> totals_of_rows(const Numbers& rows, std::size_t width) const {
    std::vector<Totals> result;
    const Arithmetic& here = arithmetic(rows.limbs());
    for (std::size_t k = 0; k < steps_; ++k) result.push_back(here.totals(rows, k * width, width));
    return result;
  }

  /// At least the greatest modulus of the numbers, from the highest limb of each part.
  Ball greatest_modulus(const Numbers& numbers, std::size_t first, std::size_t count) const {
    TwoLimbs greatest = 0;
    constexpr Limb zero = Limb{1} << (bits_of_limb - whole_bits + log_offset);
    const auto size = [&](Part part, std::size_t i) {
      const Limb highest = numbers.at(part, i)[limbs_ - 1];
      // the limbs below may take x farther from 0 by less than 1
      return highest >= zero ? highest - zero + 1 : zero - highest;
    };
    for (std::size_t i = first; i < first + count; ++i) {
      const TwoLimbs re = size(real_part, i);
      const TwoLimbs im = size(imaginary_part, i);
      greatest = std::max(greatest, re * re + im * im);  // parts are below 2^63
    }
    const Ball square(static_cast<Limb>(greatest >> bits_of_limb) + 1);  // in units of 2^64
    return sqrt(ldexp(square, 2 * whole_bits - bits_of_limb)).upper();
  }

  const std::vector<ComplexBall>& weights_;
  const std::vector<ComplexBall>& bases_;
  std::size_t count_;
  int limbs_;
  long exponent_;
  Ball unit_;
  long bits_of_results_;
  std::size_t steps_ = 1;
  std::size_t strides_ = 1;
};

int limbs_for(long bits, int most) {
  const long limbs = (bits + whole_bits + bits_of_limb - 1) / bits_of_limb;
  return static_cast<int>(std::clamp<long>(limbs, 1, most));
}

}  // namespace

// Proof: docs/proofs/straight_contour.md#sums-in-fixed-point
std::optional<std::vector<ComplexBall>> fixed_power_sums(const std::vector<ComplexBall>& weights,
                                                         const std::vector<ComplexBall>& bases,
                                                         std::size_t count,
                                                         const std::vector<long>& bits) {
  const long most_bits = working_precision();
  if (count < least_count || weights.empty() || most_bits > bits_of_limb * most_limbs) {
    return std::nullopt;
  }
  Size size;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    size.add_size(weights[j]);
    Size of_base;
    of_base.add_size(bases[j]);
    if (!of_base.is_less_than_two()) return std::nullopt;
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

  const int limbs = limbs_for(most_bits, most_limbs);
  const FixedSums sums(weights, bases, count, limbs, exponent);
  std::vector<int> limbs_of_row;
  for (std::size_t from = 0; from < count; from += sums.steps()) {
    long needed = most_bits;
    if (!bits.empty()) {
      const auto first = bits.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end =
          bits.begin() + static_cast<std::ptrdiff_t>(std::min(from + sums.steps(), bits.size()));
      needed = std::min(needed, *std::max_element(first, end));
    }
    limbs_of_row.push_back(limbs_for(needed, limbs));
  }
  const std::size_t block = std::clamp<std::size_t>(
      std::min(most_entries / (sums.steps() + 1), bases.size()), 1, widest_block);
  std::vector<ComplexBall> result(count);
  for (std::size_t begin = 0; begin < bases.size(); begin += block) {
    const std::size_t width = std::min(block, bases.size() - begin);
    if (!sums.add_block(result, begin, width, limbs_of_row)) return std::nullopt;
  }
  return result;
}

}  // namespace plaudit
