// Exponentials of complex numbers in fixed point, of which sums, terms and powers are made.
// Notation of the proof page: n limbs, W = 64 n. Numbers below 2 are in units of 2^(1-W), those
// below 1 in units of 2^-W, exponents in units of 2^(H-W) as two's complements, with H bits before
// the point. Proof: docs/proofs/fixed_exponentials.md#kernel
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lib/balls/complex_ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit::fixed {

__extension__ typedef unsigned __int128 Wide;  // NOLINT(modernize-use-using)
__extension__ typedef __int128 SignedWide;     // NOLINT(modernize-use-using)

template <std::size_t n>
using Limbs = std::array<mp_limb_t, n>;

constexpr int bits_of_limb = 64;
constexpr int most_whole_bits = 32;  ///< greatest H

/// The tables have the steps log(2) / 256 (of a power of 2) and pi / 256 (of an angle below pi/2).
constexpr int bits_of_powers = 8;
constexpr int bits_of_quadrant = 7;
constexpr std::size_t powers = std::size_t{1} << bits_of_powers;
constexpr std::size_t angles = std::size_t{1} << bits_of_quadrant;
constexpr int bits_of_reciprocal = 48;
constexpr std::int64_t power_reciprocal = 0x171547652b82fe1;  ///< 2^48 256 / log 2
constexpr std::int64_t angle_reciprocal = 0x517cc1b727220a;   ///< 2^48 256 / pi

/// Terms of the Taylor series of exp, cos and sin.
template <std::size_t n>
constexpr std::size_t terms_of_exp = n == 2 ? 12 : 17;
template <std::size_t n>
constexpr std::size_t terms_of_cos = n == 2 ? 7 : 10;
template <std::size_t n>
constexpr std::size_t terms_of_sin = n == 2 ? 7 : 10;

// For small functions: a call costs several times their work.
#define PLAUDIT_INLINE [[gnu::always_inline]] inline

PLAUDIT_INLINE Wide wide(const Limbs<2>& a) { return Wide{a[1]} << bits_of_limb | a[0]; }
PLAUDIT_INLINE std::uint64_t low_half(Wide a) { return static_cast<std::uint64_t>(a); }
PLAUDIT_INLINE std::uint64_t high_half(Wide a) {
  return static_cast<std::uint64_t>(a >> bits_of_limb);
}
PLAUDIT_INLINE Limbs<2> limbs(Wide a) { return {low_half(a), high_half(a)}; }

/// a b / 2^W, less than 6 units below it: of the products of limbs, those without a part above the
/// point are left out.
PLAUDIT_INLINE Limbs<2> product(const Limbs<2>& a, const Limbs<2>& b) {
  const Wide first = Wide{a[0]} * b[1], second = Wide{a[1]} * b[0];
  return limbs(Wide{a[1]} * b[1] + high_half(first) + high_half(second));
}
PLAUDIT_INLINE Limbs<3> product(const Limbs<3>& a, const Limbs<3>& b) {
  const Wide p02 = Wide{a[0]} * b[2], p11 = Wide{a[1]} * b[1], p20 = Wide{a[2]} * b[0];
  const Wide p12 = Wide{a[1]} * b[2], p21 = Wide{a[2]} * b[1];
  const Wide low =
      Wide{high_half(p02)} + high_half(p11) + high_half(p20) + low_half(p12) + low_half(p21);
  const Wide top = Wide{a[2]} * b[2] + high_half(low) + high_half(p12) + high_half(p21);
  return {low_half(low), low_half(top), high_half(top)};
}

/// a b modulo 2^W.
PLAUDIT_INLINE Limbs<2> low_product(const Limbs<2>& a, std::uint64_t b) {
  const std::uint64_t top = a[1] * b;
  return limbs(Wide{a[0]} * b + (Wide{top} << bits_of_limb));
}
PLAUDIT_INLINE Limbs<3> low_product(const Limbs<3>& a, std::uint64_t b) {
  const Wide low = Wide{a[0]} * b;
  const std::uint64_t top = a[2] * b;
  const Wide high = Wide{a[1]} * b + (Wide{top} << bits_of_limb) + high_half(low);
  return {low_half(low), low_half(high), high_half(high)};
}

PLAUDIT_INLINE Limbs<2>& operator+=(Limbs<2>& a, const Limbs<2>& b) {
  return a = limbs(wide(a) + wide(b));
}
PLAUDIT_INLINE Limbs<2>& operator-=(Limbs<2>& a, const Limbs<2>& b) {
  return a = limbs(wide(a) - wide(b));
}
PLAUDIT_INLINE Limbs<3>& operator+=(Limbs<3>& a, const Limbs<3>& b) {
  const Wide low = Wide{a[0]} + b[0];
  const Wide high =
      (Wide{a[2]} << bits_of_limb | a[1]) + (Wide{b[2]} << bits_of_limb | b[1]) + high_half(low);
  return a = {low_half(low), low_half(high), high_half(high)};
}
PLAUDIT_INLINE Limbs<3>& operator-=(Limbs<3>& a, const Limbs<3>& b) {
  const Wide low = Wide{a[0]} - b[0];
  const Wide high = (Wide{a[2]} << bits_of_limb | a[1]) - (Wide{b[2]} << bits_of_limb | b[1]) -
                    (high_half(low) & 1);
  return a = {low_half(low), low_half(high), high_half(high)};
}

/// floor(a / 2^shift) for 0 < shift < 64.
template <std::size_t n>
PLAUDIT_INLINE Limbs<n> shifted_down(const Limbs<n>& a, int shift) {
  Limbs<n> result;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    result[i] = a[i] >> shift | a[i + 1] << (bits_of_limb - shift);
  }
  result[n - 1] = a[n - 1] >> shift;
  return result;
}

/// The same for a two's complement and 0 <= shift <= W.
template <std::size_t n>
PLAUDIT_INLINE Limbs<n> signed_shifted_down(const Limbs<n>& a, std::int64_t shift) {
  const auto sign = static_cast<std::uint64_t>(static_cast<std::int64_t>(a[n - 1]) >> 63);
  const auto whole = static_cast<std::size_t>(shift / bits_of_limb);
  const auto part = static_cast<int>(shift % bits_of_limb);
  const auto limb = [&](std::size_t i) { return i < n ? a[i] : sign; };
  Limbs<n> result;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t low = limb(i + whole), high = limb(i + whole + 1);
    result[i] = part == 0 ? low : low >> part | high << (bits_of_limb - part);
  }
  return result;
}

/// floor(|x| 2^shift) for the middle of a ball, which is below 2^(W - shift) in size.
template <std::size_t n>
Limbs<n> as_limbs(const Ball& x, long shift) {
  Limbs<n> result{};
  arf_srcptr middle = arb_midref(x.raw());
  // the number of whole bits; few where that is no small number
  if (arf_is_special(middle) || arf_cmpabs_2exp_si(middle, -shift) < 0) return result;
  const long bits = fmpz_get_si(ARF_EXPREF(middle)) + shift;
  mp_srcptr limbs_of_middle = nullptr;
  mp_size_t size = 0;
  ARF_GET_MPN_READONLY(limbs_of_middle, size, middle);
  // its highest bit at the top, then down
  for (std::size_t i = 1; i <= n && i <= static_cast<std::size_t>(size); ++i) {
    result[n - i] = limbs_of_middle[static_cast<std::size_t>(size) - i];
  }
  const long down = static_cast<long>(bits_of_limb * n) - bits;
  const auto whole = static_cast<std::size_t>(down / bits_of_limb);
  const auto part = static_cast<int>(down % bits_of_limb);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t low = i + whole < n ? result[i + whole] : 0;
    const std::uint64_t high = i + whole + 1 < n ? result[i + whole + 1] : 0;
    result[i] = part == 0 ? low : low >> part | high << (bits_of_limb - part);
  }
  return result;
}

/// log(2) / 256 or pi / 256, of which an exponent is a multiple and a rest, down to 2^-(W+64).
template <std::size_t n>
struct Step {
  Limbs<n> high;      ///< times 2^W
  std::uint64_t low;  ///< times 2^(W + 64)
};

/// Constants and tables for n limbs: each entry is less than 1.01 units below its number.
template <std::size_t n>
struct Tables {
  static constexpr long width = static_cast<long>(bits_of_limb * n);

  Step<n> power_step, angle_step;
  std::array<Limbs<n>, terms_of_exp<n>> exp_series;
  std::array<Limbs<n>, terms_of_cos<n>> cos_series;
  std::array<Limbs<n>, terms_of_sin<n>> sin_series;
  std::array<Limbs<n>, powers> half_powers;  ///< 2^(j/256) / 2, times 2^W
  std::array<Limbs<n>, angles> cosines, sines;
  Limbs<n> third;  ///< of 2^W

  Tables() {
    const UncountedWork free;
    const PrecisionScope scope(width + 2L * bits_of_limb);
    const Ball of_power = ldexp(log(Ball(2)), -bits_of_powers);
    const Ball of_angle = ldexp(pi(), -bits_of_powers);
    const auto step = [](const Ball& x) {
      Limbs<n + 1> all = as_limbs<n + 1>(x.lower(), width + bits_of_limb);
      Step<n> result{{}, all[0]};
      std::copy_n(all.begin() + 1, n, result.high.begin());
      return result;
    };
    power_step = step(of_power);
    angle_step = step(of_angle);
    const auto number = [](const Ball& x) { return as_limbs<n>(x.lower(), width - 1); };
    const auto reciprocal = [&](std::size_t k) { return number(Ball(1) / factorial(k)); };
    for (std::size_t k = 0; k < terms_of_exp<n>; ++k) exp_series[k] = reciprocal(k);
    for (std::size_t k = 0; k < terms_of_cos<n>; ++k) cos_series[k] = reciprocal(2 * k);
    for (std::size_t k = 0; k < terms_of_sin<n>; ++k) sin_series[k] = reciprocal(2 * k + 1);
    third = as_limbs<n>((Ball(1) / Ball(3)).lower(), width);
    for (std::size_t j = 0; j < powers; ++j) {
      half_powers[j] = number(exp(of_power * Ball(std::uint64_t{j})));
    }
    for (std::size_t j = 0; j < angles; ++j) {
      const Ball angle = of_angle * Ball(std::uint64_t{j});
      cosines[j] = number(cos(angle));
      sines[j] = number(clipped_nonnegative(sin(angle)));
    }
  }

  static const Tables& get() {
    static const Tables tables;
    return tables;
  }
};

/// exponent = steps * step + rest, 0 <= rest < 1.001 step; rest is off by < 2.01 units of 2^-W.
template <std::size_t n>
struct Reduced {
  std::int64_t steps;
  Limbs<n> rest;
};

/// a b / 2^64 modulo 2^W, at most one unit below it.
template <std::size_t n>
PLAUDIT_INLINE Limbs<n> low_product(const Step<n>& a, std::uint64_t b) {
  Limbs<n> result = low_product(a.high, b);
  Limbs<n> carry{};
  carry[0] = high_half(Wide{a.low} * b);
  result += carry;
  return result;
}

/// @param whole_bits of x: |x| < 2^(whole_bits - 1).
// Proof: docs/proofs/fixed_exponentials.md#reduction
template <std::size_t n>
PLAUDIT_INLINE Reduced<n> reduce(const Limbs<n>& x, int whole_bits, const Step<n>& step,
                                 std::int64_t reciprocal) {
  const SignedWide quotient = SignedWide{static_cast<std::int64_t>(x[n - 1])} * reciprocal;
  Reduced<n> result;
  result.steps =
      static_cast<std::int64_t>(quotient >> (bits_of_limb - whole_bits + bits_of_reciprocal));
  const bool negative = result.steps < 0;
  const Limbs<n> whole =
      low_product(step, static_cast<std::uint64_t>(negative ? -result.steps : result.steps));
  result.rest = low_product(x, std::uint64_t{1} << whole_bits);
  if (negative) {
    result.rest += whole;
  } else {
    result.rest -= whole;
  }
  if (result.rest[n - 1] >> (bits_of_limb - 1) != 0) {
    result.rest += step.high;
    --result.steps;
  }
  return result;
}

/// 2^exponent (real + i imaginary), of a modulus from 1/8 to 0.252 times 2^exponent.
template <std::size_t n>
struct Term {
  Limbs<n> real, imaginary;  ///< two's complements in units of 2^(1-W)
  std::int64_t exponent;
};

/// c_0 + c_1 x + ... by Horner's rule; with alternating signs.
template <std::size_t n, std::size_t count>
PLAUDIT_INLINE Limbs<n> series(const std::array<Limbs<n>, count>& c, const Limbs<n>& x) {
  Limbs<n> sum = c[count - 1];
  for (std::size_t k = count - 1; k-- > 0;) {
    sum = product(sum, x);
    sum += c[k];
  }
  return sum;
}
template <std::size_t n, std::size_t count>
PLAUDIT_INLINE Limbs<n> alternating_series(const std::array<Limbs<n>, count>& c,
                                           const Limbs<n>& x) {
  Limbs<n> sum = c[count - 1];
  for (std::size_t k = count - 1; k-- > 0;) {
    Limbs<n> next = c[k];
    next -= product(sum, x);
    sum = next;
  }
  return sum;
}

/// Of a term whose real exponent has so many steps.
inline std::int64_t exponent_of(std::int64_t power_steps) {
  return (power_steps >> bits_of_powers) + 3;
}

/// e^{i angle} size / 4 for a size in units of 2^-W, or e^{i angle} / 2; two's complements.
template <std::size_t n>
struct Turn {
  Limbs<n> real, imaginary;
};
template <std::size_t n>
PLAUDIT_INLINE Turn<n> turned(const Tables<n>& tables, const Reduced<n>& angle,
                              const Limbs<n>* size) {
  const Limbs<n>& t = angle.rest;
  const Limbs<n> t_squared = product(t, t);
  Limbs<n> cosine = alternating_series(tables.cos_series, t_squared);
  Limbs<n> sine = product(t, alternating_series(tables.sin_series, t_squared));
  if (size != nullptr) {
    cosine = product(*size, cosine);
    sine = product(*size, sine);
  }
  const std::size_t k = static_cast<std::uint64_t>(angle.steps) % angles;
  Turn<n> turn;
  turn.real = product(cosine, tables.cosines[k]);
  turn.real -= product(sine, tables.sines[k]);
  turn.imaginary = product(cosine, tables.sines[k]);
  turn.imaginary += product(sine, tables.cosines[k]);
  const std::uint64_t quadrant = (static_cast<std::uint64_t>(angle.steps) >> bits_of_quadrant) % 4;
  const auto negate = [](Limbs<n>& x) {
    Limbs<n> zero{};
    zero -= x;
    x = zero;
  };
  if (quadrant % 2 == 1) {
    std::swap(turn.real, turn.imaginary);
    negate(turn.real);
  }
  if (quadrant >= 2) {
    negate(turn.real);
    negate(turn.imaginary);
  }
  return turn;
}

// Proof: docs/proofs/fixed_exponentials.md#kernel
template <std::size_t n>
Term<n> exponential(const Tables<n>& tables, const Reduced<n>& power, const Reduced<n>& angle) {
  const std::size_t j = static_cast<std::uint64_t>(power.steps) % powers;
  const Limbs<n> size = product(series(tables.exp_series, power.rest), tables.half_powers[j]);
  const Turn<n> turn = turned(tables, angle, &size);
  return {turn.real, turn.imaginary, exponent_of(power.steps)};
}

/// The same of a real exponent: X >= 1/8 and Y = 0, with no greater error.
template <std::size_t n>
PLAUDIT_INLINE Term<n> exponential(const Tables<n>& tables, const Reduced<n>& power) {
  const std::size_t j = static_cast<std::uint64_t>(power.steps) % powers;
  const Limbs<n> size = product(series(tables.exp_series, power.rest), tables.half_powers[j]);
  return {shifted_down(size, 2), {}, exponent_of(power.steps)};
}

/// The middle of a ball, truncated towards 0 to units of 2^-shift.
template <std::size_t n>
struct Part {
  Limbs<n> size;
  bool negative;

  Part(const Limbs<n>& size_, bool negative_) : size(size_), negative(negative_) {}
  Part(const Ball& x, long shift)
      : size(as_limbs<n>(x, shift)), negative(arf_sgn(arb_midref(x.raw())) < 0) {}
  /// Of a two's complement.
  static Part of(const Limbs<n>& x) {
    Part result(x, x[n - 1] >> (bits_of_limb - 1) != 0);
    if (result.negative) {
      Limbs<n> zero{};
      zero -= x;
      result.size = zero;
    }
    return result;
  }
};

template <std::size_t n>
struct Complex {
  Part<n> real, imaginary;

  Complex(const ComplexBall& z, long shift)
      : real(z.real(), shift), imaginary(z.imaginary(), shift) {}
};

template <std::size_t n>
PLAUDIT_INLINE void add_product(Limbs<n>& sum, const Part<n>& a, const Part<n>& b, int shift,
                                bool negative) {
  const Limbs<n> p = shifted_down(product(a.size, b.size), shift);
  if (a.negative != b.negative ? !negative : negative) {
    sum -= p;
  } else {
    sum += p;
  }
}

/// e >= 0 with |x| < 2^e for all points of the ball; a large one where there is none.
inline int bits_of_size(const Ball& x) {
  const double size = x.is_finite() ? abs(x).upper_double() : infinity;
  if (!(size < 0x1p60)) return bits_of_limb;
  int exponent = 0;
  std::frexp(size, &exponent);
  return std::max(exponent, 0);
}

/// At least sum 2^exponent over terms, in units of 2^most, the greatest of them.
template <std::size_t n>
Ball sum_of_scales(const std::vector<Term<n>>& terms, std::int64_t most) {
  constexpr int bits_of_sum = 40;  // of fewer than 2^23 terms, each rounded up by at most 2^-40
  std::uint64_t sum = 0;
  for (const Term<n>& term : terms) {
    const std::int64_t below = most - term.exponent;
    sum += 1 + (below > bits_of_sum ? 0 : std::uint64_t{1} << (bits_of_sum - below));
  }
  return ldexp(Ball(sum), -bits_of_sum);
}

/// x 2^exponent, of a two's complement.
template <std::size_t n>
Ball as_ball(const Limbs<n>& x, long exponent) {
  Ball result;
  fmpz_t whole;
  fmpz_init(whole);
  fmpz_set_signed_ui_array(whole, x.data(), static_cast<slong>(n));
  arb_set_fmpz(result.raw(), whole);
  fmpz_clear(whole);
  return ldexp(result, exponent);
}

}  // namespace plaudit::fixed
