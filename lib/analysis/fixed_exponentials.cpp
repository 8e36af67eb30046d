// Notation of the proof page: n limbs, W = 64 n. Numbers in [0, 2) are in units of 2^(1-W), smaller
// ones in units of 2^-W, exponents in units of 2^(32-W) as two's complements.
// binary64 bound: docs/proofs/fixed_exponentials.md#turns
#include "lib/analysis/fixed_exponentials.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace fixed {

namespace {

__extension__ typedef unsigned __int128 Wide;  // NOLINT(modernize-use-using)
__extension__ typedef __int128 SignedWide;     // NOLINT(modernize-use-using)

template <std::size_t n>
using Limbs = std::array<std::uint64_t, n>;

constexpr int bits_of_limb = 64;
constexpr int whole_bits = 32;         ///< of an exponent, its sign among them
constexpr int most_product_bits = 26;  ///< of w l
constexpr int lost_bits = 36;          ///< of W: errors below 2^(36-W) of 2^most_exponent
constexpr int most_points_bits = 24;

/// Steps of the two tables: log(2) / 128 and pi / 128.
constexpr int bits_of_powers = 7;
constexpr int bits_of_quadrant = 6;
constexpr std::size_t powers = std::size_t{1} << bits_of_powers;
constexpr std::size_t angles = std::size_t{1} << bits_of_quadrant;
constexpr int bits_of_reciprocal = 48;
constexpr std::int64_t power_reciprocal = 0xb8aa3b295c17f0;  ///< 2^48 128 / log 2
constexpr std::int64_t angle_reciprocal = 0x28be60db939105;  ///< 2^48 128 / pi

/// Terms of the Taylor series of exp, cos and sin.
template <std::size_t n>
constexpr std::size_t terms_of_exp = n == 2 ? 11 : 16;
template <std::size_t n>
constexpr std::size_t terms_of_cos = n == 2 ? 7 : 10;
template <std::size_t n>
constexpr std::size_t terms_of_sin = n == 2 ? 6 : 10;

// Small functions that must stay in registers: one that is called costs several times its work.
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
  return limbs(Wide{a[0]} * b + (Wide{a[1] * b} << bits_of_limb));
}
PLAUDIT_INLINE Limbs<3> low_product(const Limbs<3>& a, std::uint64_t b) {
  const Wide low = Wide{a[0]} * b;
  const Wide high = Wide{a[1]} * b + (Wide{a[2] * b} << bits_of_limb) + high_half(low);
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

/// The same for a two's complement and 0 < shift < W.
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

/// floor(x 2^shift) for an exact x >= 0 below 2^(W - shift).
template <std::size_t n>
Limbs<n> as_limbs(const Ball& x, long shift) {
  Limbs<n> result;
  fmpz_t whole;
  fmpz_init(whole);
  const Ball scaled = ldexp(x, shift);
  arf_get_fmpz(whole, arb_midref(scaled.raw()), ARF_RND_DOWN);
  fmpz_get_ui_array(result.data(), static_cast<slong>(n), whole);
  fmpz_clear(whole);
  return result;
}

/// What n limbs need: each entry at most its number and less than 1.01 ulp below.
template <std::size_t n>
struct Tables {
  static constexpr long width = static_cast<long>(bits_of_limb * n);

  Limbs<n> power_step, angle_step;  ///< times 2^W
  std::array<Limbs<n>, terms_of_exp<n>> exp_series;
  std::array<Limbs<n>, terms_of_cos<n>> cos_series;
  std::array<Limbs<n>, terms_of_sin<n>> sin_series;
  std::array<Limbs<n>, powers> half_powers;  ///< 2^(j/128) / 2, times 2^W
  std::array<Limbs<n>, angles> cosines, sines;

  Tables() {
    const UncountedWork free;
    const PrecisionScope scope(width + bits_of_limb);
    const Ball of_power = ldexp(log(Ball(2)), -bits_of_powers);
    const Ball of_angle = ldexp(pi(), -bits_of_powers);
    power_step = as_limbs<n>(of_power.lower(), width);
    angle_step = as_limbs<n>(of_angle.lower(), width);
    const auto number = [](const Ball& x) { return as_limbs<n>(x.lower(), width - 1); };
    const auto reciprocal = [&](std::size_t k) { return number(Ball(1) / factorial(k)); };
    for (std::size_t k = 0; k < terms_of_exp<n>; ++k) exp_series[k] = reciprocal(k);
    for (std::size_t k = 0; k < terms_of_cos<n>; ++k) cos_series[k] = reciprocal(2 * k);
    for (std::size_t k = 0; k < terms_of_sin<n>; ++k) sin_series[k] = reciprocal(2 * k + 1);
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

/// exponent = steps * step + rest, 0 <= rest < 1.001 step; rest in units of 2^-W.
template <std::size_t n>
struct Reduced {
  std::int64_t steps;
  Limbs<n> rest;
};

// Proof: docs/proofs/fixed_exponentials.md#reduction
template <std::size_t n>
PLAUDIT_INLINE Reduced<n> reduce(const Limbs<n>& x, const Limbs<n>& step, std::int64_t reciprocal) {
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
    result.rest += step;
    --result.steps;
  }
  return result;
}

/// 2^exponent (real + i imaginary), of modulus below 2^exponent / 3.
template <std::size_t n>
struct Term {
  Limbs<n> real, imaginary;  ///< two's complements
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

std::int64_t exponent_of(std::int64_t power_steps) { return (power_steps >> bits_of_powers) + 3; }

/// e^{i angle} size / 4, or / 2 without a size. Two's complements.
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

/// The middle of a ball, truncated towards 0 to units of 2^-shift.
template <std::size_t n>
struct Part {
  Limbs<n> size;
  bool negative;

  Part(const Limbs<n>& size_, bool negative_) : size(size_), negative(negative_) {}
  Part(const Ball& x, long shift)
      : size(as_limbs<n>(abs(x.middle()), shift)), negative(arf_sgn(arb_midref(x.raw())) < 0) {}
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
int bits_of_size(const Ball& x) {
  const double size = x.is_finite() ? abs(x).upper_double() : infinity;
  if (!(size < 0x1p60)) return bits_of_limb;
  int exponent = 0;
  std::frexp(size, &exponent);
  return std::max(exponent, 0);
}

/// The same for all components.
int bits_of_size(const std::vector<ComplexBall>& z) {
  int most = 0;
  for (const ComplexBall& x : z) {
    most = std::max({most, bits_of_size(x.real()), bits_of_size(x.imaginary())});
  }
  return most;
}

Ball greatest_radius(const std::vector<ComplexBall>& z) {
  Ball most;
  for (const ComplexBall& x : z) {
    most = max(most, max(x.real().radius(), x.imaginary().radius())).upper();
  }
  return most;
}

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

template <std::size_t n>
std::optional<std::vector<ComplexBall>> sums(const std::vector<ComplexBall>& w,
                                             const std::vector<ComplexBall>& l,
                                             const std::vector<ComplexBall>& m) {
  constexpr long width = Tables<n>::width;
  constexpr double seconds_of_term = 6e-8 * n;
  const Tables<n>& tables = Tables<n>::get();
  const int bits_of_w = bits_of_size(w), bits_of_l = bits_of_size(l);
  const auto points_bits = static_cast<int>(std::bit_width(l.size()));
  if (bits_of_w + bits_of_l > most_product_bits || bits_of_size(m) > most_product_bits ||
      points_bits > most_points_bits) {
    return std::nullopt;
  }
  // Proof: docs/proofs/fixed_exponentials.md#sums
  const Ball error = [&] {
    const PrecisionScope scope(bits_of_limb);
    const Ball radii =
        ldexp(ldexp(greatest_radius(l), bits_of_w) + ldexp(greatest_radius(w), bits_of_l), 2) +
        ldexp(greatest_radius(m), 1);
    return Ball(std::uint64_t{l.size()}) *
           (PLAUDIT_BOUND("fixed_exponentials.radii", radii, Ball(0)) +
            PLAUDIT_BOUND("fixed_exponentials.rounding", ldexp(Ball(1), lost_bits - width),
                          Ball(0)));
  }();
  if (!certainly_less(error, ldexp(Ball(1), -6))) return std::nullopt;
  std::vector<Complex<n>> factors;
  std::vector<std::array<Limbs<n>, 2>> offsets;
  for (std::size_t j = 0; j < l.size(); ++j) {
    factors.emplace_back(l[j], width - bits_of_l);
    const Complex<n> offset(m[j], width - whole_bits);
    std::array<Limbs<n>, 2> parts{};
    std::size_t part = 0;
    for (const Part<n>& each : {offset.real, offset.imaginary}) {
      if (each.negative) {
        parts[part++] -= each.size;
      } else {
        parts[part++] += each.size;
      }
    }
    offsets.push_back(parts);
  }
  const int shift = whole_bits - bits_of_w - bits_of_l;
  std::vector<Reduced<n>> power(l.size()), angle(l.size());
  std::vector<ComplexBall> result;
  for (const ComplexBall& each : w) {
    check_work_limit(seconds_of_term * static_cast<double>(l.size()));
    const Complex<n> at(each, width - bits_of_w);
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (std::size_t j = 0; j < l.size(); ++j) {
      auto [real, imaginary] = offsets[j];
      add_product(real, at.real, factors[j].real, shift, false);
      add_product(real, at.imaginary, factors[j].imaginary, shift, true);
      add_product(imaginary, at.real, factors[j].imaginary, shift, false);
      add_product(imaginary, at.imaginary, factors[j].real, shift, false);
      power[j] = reduce(real, tables.power_step, power_reciprocal);
      angle[j] = reduce(imaginary, tables.angle_step, angle_reciprocal);
      most = std::max(most, exponent_of(power[j].steps));
    }
    // the sum stays below 2^unit in modulus
    const std::int64_t unit = most + points_bits;
    Limbs<n> real{}, imaginary{};
    for (std::size_t j = 0; j < l.size(); ++j) {
      if (exponent_of(power[j].steps) < most - width + lost_bits - 2) continue;
      const Term<n> term = exponential(tables, power[j], angle[j]);
      real += signed_shifted_down(term.real, unit - term.exponent);
      imaginary += signed_shifted_down(term.imaginary, unit - term.exponent);
    }
    result.push_back(
        widened(ComplexBall(as_ball(real, unit - width + 1), as_ball(imaginary, unit - width + 1)),
                ldexp(error, most)));
  }
  return result;
}

}  // namespace

}  // namespace fixed

std::size_t limbs_of_exponentials(long bits, std::size_t terms) {
  // 2^3: of the scale of a term to its least size
  const long needed = bits + fixed::lost_bits + 3 + std::bit_width(terms);
  if (needed <= fixed::Tables<2>::width) return 2;
  return needed <= fixed::Tables<3>::width ? 3 : 0;
}

std::optional<std::vector<ComplexBall>> fixed_exponential_sums(const std::vector<ComplexBall>& w,
                                                               const std::vector<ComplexBall>& l,
                                                               const std::vector<ComplexBall>& m,
                                                               long bits) {
  if (l.empty() || l.size() != m.size()) throw std::invalid_argument("exponential sums: lengths");
  switch (limbs_of_exponentials(bits, l.size())) {
    case 2:
      return fixed::sums<2>(w, l, m);
    case 3:
      return fixed::sums<3>(w, l, m);
    default:
      return std::nullopt;
  }
}

FixedTurns::FixedTurns(const std::vector<Ball>& l) {
  for (const Ball& x : l) {
    bits_ = std::max(bits_, fixed::bits_of_size(x));
    radius_ = max(radius_, x.radius()).upper();
  }
  if (bits_ > fixed::most_product_bits) return;
  for (const Ball& x : l) {
    const fixed::Part<2> part(x, fixed::Tables<2>::width - bits_);
    angles_.push_back({part.size, part.negative});
  }
}

// Proof: docs/proofs/fixed_exponentials.md#turns
double FixedTurns::at(const Ball& s, std::vector<double>& real,
                      std::vector<double>& imaginary) const {
  const fixed::Tables<2>& tables = fixed::Tables<2>::get();
  const int bits = fixed::bits_of_size(s);
  if (bits + bits_ > fixed::most_product_bits) return infinity;
  const fixed::Part<2> at(s, tables.width - bits);
  const int shift = fixed::whole_bits - bits - bits_;
  real.clear();
  imaginary.clear();
  for (const Angle& angle : angles_) {
    fixed::Limbs<2> x{};
    fixed::add_product(x, at, fixed::Part<2>{angle.size, angle.negative}, shift, false);
    const auto turn = fixed::turned<2>(
        tables, fixed::reduce(x, tables.angle_step, fixed::angle_reciprocal), nullptr);
    // the last limb of half the number, in units of 2^(1 - 64)
    real.push_back(0x1p-62 * static_cast<double>(static_cast<std::int64_t>(turn.real[1])));
    imaginary.push_back(0x1p-62 *
                        static_cast<double>(static_cast<std::int64_t>(turn.imaginary[1])));
  }
  const PrecisionScope scope(fixed::bits_of_limb);
  const Ball radii = ldexp(radius_, bits) + ldexp(s.radius(), bits_);
  return (PLAUDIT_BOUND("fixed_exponentials.radii_of_turns", radii, Ball(0)) +
          PLAUDIT_BOUND("fixed_exponentials.rounding_of_turns", ldexp(Ball(1), -53), Ball(0)))
      .upper_double();
}

}  // namespace plaudit

#undef PLAUDIT_INLINE
