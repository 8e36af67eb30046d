// Logarithms of complex numbers in fixed point, for terms and powers: a guess G of log f in
// doubles, and the series of log(f e^-G), with e^-G in fixed point. Notation as in
// fixed_kernel.hpp. Proof: docs/proofs/fixed_exponentials.md#logarithm
#pragma once

#include <bit>
#include <cstdlib>
#include <optional>
#include <vector>

#include "lib/analysis/fixed/fixed_kernel.hpp"
#include "lib/balls/size_bound.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit::fixed {

constexpr int bits_of_guess = 48;  ///< of the parts of G behind the point
constexpr SignedWide log_two_by_guess = (SignedWide{0xb172} << 64) + 0x17f7d1cf79abc9e3;  ///< 2^80
constexpr int more_bits_of_log_two = 32;    ///< of these 80 beyond those of G
constexpr int most_bits_of_guess = 14;      ///< of G before the point
constexpr int least_bits_of_rest = 45;      ///< both parts of f e^-G - 1 are below 2^-45, checked
constexpr long most_exponent_of_f = 10000;  ///< of 2; other f are refused
/// x: the series after G are off by less than 2^(x-W), the kernel's terms by less than 2^(e+x-W).
template <std::size_t n>
constexpr int bits_lost_by_log = n == 2 ? 11 : 13;
constexpr int bits_lost_by_term = 7;
constexpr std::int64_t most_angle = (std::int64_t{313} << bits_of_guess) / 100;  ///< 3.13, below pi
/// An exponent that is off by D < 2^-5 changes a term by at most 0.26 D 2^e.
constexpr double term_by_exponent = 0.26;

/// f = 2^exponent (real + i imaginary), parts below 1 in size.
template <std::size_t n>
struct Scaled {
  Part<n> real, imaginary;
  long exponent;
};

/// A logarithm: G 2^48 and the rest.
template <std::size_t n>
struct Logarithm {
  std::int64_t real, imaginary;        ///< of the guess
  Limbs<n> real_rest, imaginary_rest;  ///< in units of 2^(1-W), two's complements
};

/// The least e with |x| < 2^e for the middle; very small for 0.
inline long exponent_of_middle(arb_srcptr x) { return arf_abs_bound_lt_2exp_si(arb_midref(x)); }

/// The same for both parts.
inline long exponent_of(const ComplexBall& f) {
  return std::max(exponent_of_middle(acb_realref(f.raw())),
                  exponent_of_middle(acb_imagref(f.raw())));
}

template <std::size_t n>
std::optional<Scaled<n>> scaled(const ComplexBall& f) {
  constexpr long width = Tables<n>::width;
  const long exponent = exponent_of(f);
  if (std::labs(exponent) > most_exponent_of_f) return std::nullopt;
  return Scaled<n>{Part<n>(f.real(), width - exponent), Part<n>(f.imaginary(), width - exponent),
                   exponent};
}

inline double top_of(const Part<2>& x) {
  return static_cast<double>(x.size[1]) * (x.negative ? -1 : 1);
}
inline double top_of(const Part<3>& x) {
  return static_cast<double>(x.size[2]) * (x.negative ? -1 : 1);
}

/// G for log f, without the rest: any number near it is correct. Nothing where it is too large.
template <std::size_t n>
std::optional<Logarithm<n>> guess(const Scaled<n>& f) {
  const double real = 0x1p-64 * top_of(f.real);
  const double imaginary = 0x1p-64 * top_of(f.imaginary);
  const double angle = std::atan2(imaginary, real);
  const auto whole = [](double x) {
    return checked_integer(std::nearbyint(std::ldexp(x, bits_of_guess)), "logarithm");
  };
  const double log_of_size = std::log(real * real + imaginary * imaginary) / 2;
  Logarithm<n> result{};
  result.real = whole(log_of_size) +
                static_cast<std::int64_t>((log_two_by_guess * f.exponent) >> more_bits_of_log_two);
  result.imaginary = whole(angle);
  if (std::llabs(result.real) >> (bits_of_guess + most_bits_of_guess) != 0) return std::nullopt;
  return result;
}

/// Adds a b (or takes it off), a in units of 2^-W: sum is in the unit of b.
template <std::size_t n>
PLAUDIT_INLINE void add_to(Limbs<n>& sum, const Part<n>& a, const Part<n>& b, bool negative) {
  const Limbs<n> p = product(a.size, b.size);
  if ((a.negative != b.negative) != negative) {
    sum -= p;
  } else {
    sum += p;
  }
}

/// x 2^times.
template <std::size_t n>
PLAUDIT_INLINE Limbs<n> doubled(const Limbs<n>& x, int times) {
  return low_product(x, std::uint64_t{1} << times);
}

/// Whether |x| < 2^-45, of a two's complement in units of 2^(1-W).
template <std::size_t n>
PLAUDIT_INLINE bool is_small(const Limbs<n>& x) {
  constexpr int bits = bits_of_limb - 1 - least_bits_of_rest;
  const auto top = static_cast<std::int64_t>(x[n - 1]);
  return top >> bits == 0 || top >> bits == -1;
}

/// Puts the rest log(f e^-G) into the logarithm. False where f e^-G is not near 1.
// Proof: docs/proofs/fixed_exponentials.md#logarithm
template <std::size_t n>
bool add_rest(const Tables<n>& tables, const Scaled<n>& f, Logarithm<n>& log) {
  constexpr int bits_of_whole = bits_of_limb - bits_of_guess;
  Limbs<n> real{}, imaginary{};
  real[n - 1] = static_cast<std::uint64_t>(-log.real);
  imaginary[n - 1] = static_cast<std::uint64_t>(-log.imaginary);
  const Term<n> inverse =
      exponential(tables, reduce(real, bits_of_whole, tables.power_step, power_reciprocal),
                  reduce(imaginary, bits_of_whole, tables.angle_step, angle_reciprocal));
  const Part<n> a = Part<n>::of(inverse.real), b = Part<n>::of(inverse.imaginary);
  Limbs<n> x{}, y{};
  add_to(x, f.real, a, false);
  add_to(x, f.imaginary, b, true);
  add_to(y, f.real, b, false);
  add_to(y, f.imaginary, a, false);
  const long exponent = inverse.exponent + f.exponent;
  // 0 < Re < 2 and |Im| < 1, so that what follows is exact although it is modulo 2
  const auto top_of_real = static_cast<std::int64_t>(x[n - 1]);
  const auto top_of_imaginary = static_cast<std::int64_t>(y[n - 1]);
  if (exponent < 2 || exponent > 4 || top_of_real <= 0 ||
      top_of_real >> (bits_of_limb - exponent) != 0 ||
      std::llabs(top_of_imaginary) >> (bits_of_limb - 1 - exponent) != 0) {
    return false;
  }
  x = doubled(x, static_cast<int>(exponent));
  y = doubled(y, static_cast<int>(exponent));
  x[n - 1] -= std::uint64_t{1} << (bits_of_limb - 1);  // 1
  if (!is_small(x) || !is_small(y)) return false;
  // log(1 + z) = z - z^2 / 2 + z^3 / 3, z = x + i y; halves of squares keep the unit
  const Part<n> p = Part<n>::of(x), q = Part<n>::of(y);
  Limbs<n> half_square_real{}, square_imaginary{};
  add_to(half_square_real, p, p, false);
  add_to(half_square_real, q, q, true);
  add_to(square_imaginary, p, q, false);
  square_imaginary = doubled(square_imaginary, 1);  // half of 2 x y
  x -= half_square_real;
  y -= square_imaginary;
  if constexpr (n > 2) {
    const Part<n> u = Part<n>::of(half_square_real), v = Part<n>::of(square_imaginary);
    Limbs<n> quarter_cube_real{}, quarter_cube_imaginary{};
    add_to(quarter_cube_real, u, p, false);
    add_to(quarter_cube_real, v, q, true);
    add_to(quarter_cube_imaginary, u, q, false);
    add_to(quarter_cube_imaginary, v, p, false);
    // 4/3 of it
    Limbs<n> third_real{}, third_imaginary{};
    add_to(third_real, Part<n>::of(quarter_cube_real), Part<n>(tables.third, false), false);
    add_to(third_imaginary, Part<n>::of(quarter_cube_imaginary), Part<n>(tables.third, false),
           false);
    x += doubled(third_real, 2);
    y += doubled(third_imaginary, 2);
  }
  log.real_rest = x;
  log.imaginary_rest = y;
  return true;
}

/// The same for f > 0, whose logarithm is real, with no greater error.
inline bool add_rest_of_real(const Tables<2>& tables, const Scaled<2>& f, Logarithm<2>& log) {
  constexpr int bits_of_whole = bits_of_limb - bits_of_guess;
  const Limbs<2> real{0, static_cast<std::uint64_t>(-log.real)};
  const Term<2> inverse =
      exponential(tables, reduce(real, bits_of_whole, tables.power_step, power_reciprocal));
  Limbs<2> x = product(f.real.size, inverse.real);
  const long exponent = inverse.exponent + f.exponent;
  if (f.real.negative || exponent < 2 || exponent > 4 || x[1] >> (bits_of_limb - exponent) != 0) {
    return false;
  }
  x = doubled(x, static_cast<int>(exponent));
  x[1] -= std::uint64_t{1} << (bits_of_limb - 1);
  if (!is_small(x)) return false;
  const Part<2> p = Part<2>::of(x);
  x -= product(p.size, p.size);
  log.real_rest = x;
  log.imaginary_rest = {};
  return true;
}

/// A logarithm below 2^(b-1) in units of 2^(b-W), as a size and a sign.
template <std::size_t n>
Part<n> in_units(std::int64_t guess, const Limbs<n>& rest, int b) {
  Limbs<n> x = signed_shifted_down(rest, b - 1);
  x[n - 1] += static_cast<std::uint64_t>(guess) << (bits_of_limb - bits_of_guess - b);
  return Part<n>::of(x);
}

/// Upper bound of what rounding changes a term e^{w L + m} by, over 2^e for its exponent e: |w| <
/// 2^of_w, both parts of L below 2^(of_log - 1) and H = whole_bits.
// Proof: docs/proofs/fixed_exponentials.md#terms
template <std::size_t n>
Ball rounding_of_term(int of_w, int of_log, int whole_bits) {
  const auto power_of_two = [](int bits) { return ldexp(Ball(1), bits - Tables<n>::width); };
  const Ball of_logarithm = power_of_two(bits_lost_by_log<n>) + power_of_two(of_log + 1);
  const Ball of_exponent = ldexp(of_logarithm, of_w) + Ball(10) * power_of_two(of_w + of_log) +
                           power_of_two(whole_bits + 1) + power_of_two(2);
  return Ball(term_by_exponent) * of_exponent + power_of_two(bits_lost_by_term);
}

/// u with |f' - f| <= u |f| for all f' in the ball of f, of an f whose size is not refused.
inline void set_relative_radius(SizeBound& to, const ComplexBall& f) {
  mag_add(to.raw(), arb_radref(acb_realref(f.raw())), arb_radref(acb_imagref(f.raw())));
  // the modulus is at least half of what bounds the middles
  mag_mul_2exp_si(to.raw(), to.raw(), 1 - exponent_of(f));
}

/// sum 2^exponent radius over terms, each of its own f.
class SumOfRadii {
 public:
  void add(const ComplexBall& f, std::int64_t exponent) {
    set_relative_radius(radius_, f);
    mag_mul_2exp_si(radius_.raw(), radius_.raw(), exponent);
    mag_add(sum_.raw(), sum_.raw(), radius_.raw());
  }
  /// In units of 2^exponent.
  Ball in_units(std::int64_t exponent) const { return ldexp(sum_.ball(), -exponent); }

 private:
  SizeBound sum_, radius_;
};

/// The greatest u of all; nothing where a ball is not finite, or its middle 0 or of a refused size.
inline std::optional<Ball> greatest_relative_radius(const std::vector<ComplexBall>& f) {
  SizeBound greatest, radius;
  for (const ComplexBall& z : f) {
    if (!z.is_finite() || std::labs(exponent_of(z)) > most_exponent_of_f) return std::nullopt;
    set_relative_radius(radius, z);
    greatest.raise_to(radius);
  }
  return greatest.ball();
}

/// b with |Re log f|, |Im log f| < 2^(b-1) for all f whose size is not refused.
inline int bits_of_logarithms(const std::vector<ComplexBall>& f) {
  long most = 0;
  for (const ComplexBall& z : f) {
    const long exponent = std::labs(exponent_of(z));
    if (exponent <= most_exponent_of_f) most = std::max(most, exponent);
  }
  // the middle's size is between 2^(e-1) and 2^(e + 1/2), log 2 < 3/4, and an angle is below 4
  const auto size = 3 * static_cast<std::uint64_t>(most + 1) / 4 + 1;
  return 1 + std::max(static_cast<int>(std::bit_width(size)), 2);
}

}  // namespace plaudit::fixed
