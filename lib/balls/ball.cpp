#include "lib/balls/ball.hpp"

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/arb_hypgeom.h>
#include <flint/fmpq.h>
#else
#include <arb_hypgeom.h>
#include <flint/fmpq.h>
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

// Nominal costs, in sums or products of balls of the working precision: what is counted as work.
constexpr double sums_of_conversion = 2;
constexpr double sums_of_hull = 2;
constexpr double sums_of_comparison = 6;
constexpr double products_of_root = 4;
constexpr double products_of_dot = 0.6;    ///< of a term of a dot product
constexpr double products_of_zero = 0.04;  ///< of a term whose first factor is 0

using UnaryOperation = void (*)(arb_t, const arb_t, slong);

template <UnaryOperation operation>
Ball apply(const Ball& x, double logarithms = 1) {
  Ball result;
  operation(result.raw(), x.raw(), affordable_precision(logarithms));
  return result;
}

Ball exact(const arf_t value) {
  Ball result;
  arb_set_arf(result.raw(), value);
  return result;
}

}  // namespace

Ball::Ball(const Rational& q) : Ball() {
  fmpq_t rational;
  fmpq_init(rational);
  fmpq_set_mpq(rational, q.data());
  arb_set_fmpq(value_, rational, affordable_sum(sums_of_conversion));
  fmpq_clear(rational);
}

Ball& Ball::operator+=(const Ball& b) {
  arb_add(value_, value_, b.value_, affordable_sum());
  return *this;
}
Ball& Ball::operator-=(const Ball& b) {
  arb_sub(value_, value_, b.value_, affordable_sum());
  return *this;
}
Ball& Ball::operator*=(const Ball& b) {
  arb_mul(value_, value_, b.value_, affordable_product());
  return *this;
}
Ball& Ball::operator/=(const Ball& b) {
  arb_div(value_, value_, b.value_, affordable_product(3));
  return *this;
}
Ball Ball::operator-() const {
  Ball result;
  arb_neg(result.value_, value_);
  return result;
}

Ball& Ball::divide_by(std::uint64_t n) {
  arb_div_ui(value_, value_, n, working_precision());
  return *this;
}

double Ball::radius_double() const { return mag_get_d(arb_radref(value_)); }

Ball Ball::upper() const {
  arf_t end;
  arf_init(end);
  arb_get_ubound_arf(end, value_, 2 * affordable_sum());
  Ball result = exact(end);
  arf_clear(end);
  return result;
}

Ball Ball::lower() const {
  arf_t end;
  arf_init(end);
  arb_get_lbound_arf(end, value_, 2 * affordable_sum());
  Ball result = exact(end);
  arf_clear(end);
  return result;
}

Ball Ball::middle() const { return exact(arb_midref(value_)); }

Ball Ball::radius() const {
  Ball result;
  arb_get_rad_arb(result.value_, value_);
  return result;
}

namespace {
/// The nearest double. A number that is a double is converted here: arf_get_d goes through MPFR,
/// which takes long for laws of a hundred thousand masses.
double nearest_double(const arf_t x) {
  static_assert(FLINT_BITS == 64);
  constexpr mp_limb_t below_a_double = (mp_limb_t{1} << 11) - 1;
  if (!ARF_IS_SPECIAL(x) && ARF_SIZE(x) == 1 && !COEFF_IS_MPZ(ARF_EXP(x)) && ARF_EXP(x) > -1000 &&
      ARF_EXP(x) < 1000) {
    const mp_limb_t mantissa = ARF_NOPTR_D(x)[0];
    if ((mantissa & below_a_double) == 0) {
      const double size =
          std::ldexp(static_cast<double>(mantissa), static_cast<int>(ARF_EXP(x)) - FLINT_BITS);
      return ARF_SGNBIT(x) ? -size : size;
    }
  }
  return arf_get_d(x, ARF_RND_NEAR);
}
}  // namespace

double Ball::estimate() const { return nearest_double(arb_midref(value_)); }

namespace {
double estimate_log_of(const arf_t x) {
  const double near = std::fabs(nearest_double(x));
  if (std::isnormal(near)) return std::log(near);
  if (arf_is_zero(x)) return -infinity;
  if (arf_is_nan(x)) return std::numeric_limits<double>::quiet_NaN();
  if (arf_is_inf(x)) return infinity;
  arf_t mantissa;
  fmpz_t exponent;
  arf_init(mantissa);
  fmpz_init(exponent);
  arf_frexp(mantissa, exponent, x);
  const double result =
      std::log(std::fabs(arf_get_d(mantissa, ARF_RND_NEAR))) + fmpz_get_d(exponent) * log_two;
  arf_clear(mantissa);
  fmpz_clear(exponent);
  return result;
}
}  // namespace

double Ball::estimate_log() const { return estimate_log_of(arb_midref(value_)); }

double Ball::upper_double() const {
  arf_t end;
  arf_init(end);
  arb_get_ubound_arf(end, value_, 53);
  const double result =
      arf_get_d(end, PLAUDIT_BOUND("ball.upper_double", ARF_RND_CEIL, ARF_RND_FLOOR));
  arf_clear(end);
  return result;
}

double Ball::lower_double() const {
  arf_t end;
  arf_init(end);
  arb_get_lbound_arf(end, value_, 53);
  const double result =
      arf_get_d(end, PLAUDIT_BOUND("ball.lower_double", ARF_RND_FLOOR, ARF_RND_CEIL));
  arf_clear(end);
  return result;
}

long Ball::relative_accuracy_bits() const { return arb_rel_accuracy_bits(value_); }

std::string Ball::to_string(int digits) const {
  char* text = arb_get_str(value_, digits, ARB_STR_MORE);
  std::string result(text);
  flint_free(text);
  return result;
}

Ball operator+(const Ball& a, const Ball& b) {
  Ball result;
  arb_add(result.raw(), a.raw(), b.raw(), affordable_sum());
  return result;
}
Ball operator-(const Ball& a, const Ball& b) {
  Ball result;
  arb_sub(result.raw(), a.raw(), b.raw(), affordable_sum());
  return result;
}
Ball operator*(const Ball& a, const Ball& b) {
  Ball result;
  arb_mul(result.raw(), a.raw(), b.raw(), affordable_product());
  return result;
}
Ball operator/(const Ball& a, const Ball& b) {
  Ball result;
  arb_div(result.raw(), a.raw(), b.raw(), affordable_product(3));
  return result;
}

bool certainly_less(const Ball& a, const Ball& b) {
  affordable_sum(sums_of_comparison);
  return arb_lt(a.raw(), b.raw()) != 0;
}
bool certainly_less_equal(const Ball& a, const Ball& b) {
  affordable_sum(sums_of_comparison);
  return arb_le(a.raw(), b.raw()) != 0;
}
bool overlaps(const Ball& a, const Ball& b) {
  affordable_sum(sums_of_comparison);
  return arb_overlaps(a.raw(), b.raw()) != 0;
}
bool contains(const Ball& outer, const Ball& inner) {
  return arb_contains(outer.raw(), inner.raw()) != 0;
}

Ball max(const Ball& a, const Ball& b) {
  Ball result;
  arb_max(result.raw(), a.raw(), b.raw(), affordable_sum());
  return result;
}
Ball min(const Ball& a, const Ball& b) {
  Ball result;
  arb_min(result.raw(), a.raw(), b.raw(), affordable_sum());
  return result;
}
Ball abs(const Ball& a) {
  Ball result;
  arb_abs(result.raw(), a.raw());
  return result;
}
Ball hull(const Ball& a, const Ball& b) {
  Ball result;
  arb_union(result.raw(), a.raw(), PLAUDIT_BOUND("ball.hull", b, a).raw(),
            affordable_sum(sums_of_hull));
  return result;
}
Ball widened(const Ball& x, const Ball& error) {
  Ball result(x);
  arb_add_error(result.raw(), PLAUDIT_BOUND("ball.widened", error, Ball(0)).raw());
  return result;
}
Ball Ball::up_to_greatest_size() const {
  Ball result;
  mag_t size;
  mag_init(size);
  arb_get_mag(size, value_);
  mag_mul_2exp_si(size, size, -1);
  arf_set_mag(arb_midref(result.value_), size);
  mag_set(arb_radref(result.value_), size);
  mag_clear(size);
  return result;
}

Ball clipped_nonnegative(const Ball& x) {
  if (certainly_nonnegative(x)) return x;
  Ball result;
  arb_nonnegative_part(result.raw(), x.raw());
  return result;
}

Ball exp(const Ball& x) { return apply<arb_exp>(x); }
Ball expm1(const Ball& x) { return apply<arb_expm1>(x); }
Ball log(const Ball& x) { return apply<arb_log>(x); }
Ball log1p(const Ball& x) { return apply<arb_log1p>(x); }
Ball sqrt(const Ball& x) {
  Ball result;
  arb_sqrt(result.raw(), x.raw(), affordable_product(products_of_root));
  return result;
}
Ball sin(const Ball& x) { return apply<arb_sin>(x); }
Ball cos(const Ball& x) { return apply<arb_cos>(x); }
Ball sinh(const Ball& x) { return apply<arb_sinh>(x); }
Ball cosh(const Ball& x) { return apply<arb_cosh>(x); }
Ball tan(const Ball& x) { return apply<arb_tan>(x); }
Ball atan(const Ball& x) { return apply<arb_atan>(x); }

constexpr double erfc_cost = 12;  ///< nominal, in logarithms

Ball erfc(const Ball& x) {
  // Arb propagates the radius r through |erfc'| <= exp(-(|x| - r)^2) in 30 bits: the new radius is
  // up to e^(x^2 / 2^30) times too large. erfc decreases: the values at both ends enclose it.
  if (!x.is_exact() && x.is_finite() && arf_cmpabs_2exp_si(arb_midref(x.raw()), 10) > 0) {
    Ball ends = hull(apply<arb_hypgeom_erfc>(x.lower(), erfc_cost),
                     apply<arb_hypgeom_erfc>(x.upper(), erfc_cost));
    return PLAUDIT_BOUND("ball.erfc_at_both_ends", ends, ends.middle());
  }
  return apply<arb_hypgeom_erfc>(x, erfc_cost);
}

Ball square(const Ball& x) {
  Ball result;
  arb_sqr(result.raw(), x.raw(), affordable_product());
  return result;
}

Ball atan2(const Ball& y, const Ball& x) {
  Ball result;
  arb_atan2(result.raw(), y.raw(), x.raw(), affordable_precision(1));
  return result;
}

Ball normal_cdf(const Ball& x) {
  // Phi(x) = erfc(-x / sqrt 2) / 2
  return ldexp(erfc(-x / sqrt(Ball(2))), -1);
}

Ball normal_density(const Ball& x) { return exp(ldexp(-square(x), -1)) / sqrt(ldexp(pi(), 1)); }

Ball power(const Ball& x, std::uint64_t n) {
  Ball result;
  arb_pow_ui(result.raw(), x.raw(), n, affordable_product(20));
  return result;
}

Ball ldexp(const Ball& x, long e) {
  Ball result;
  arb_mul_2exp_si(result.raw(), x.raw(), e);
  return result;
}

Ball pi() {
  Ball result;
  arb_const_pi(result.raw(), affordable_precision(1));
  return result;
}

Ball positive_infinity() {
  Ball result;
  arb_pos_inf(result.raw());
  return result;
}

Ball dot(const std::vector<Ball>& a, const std::vector<Ball>& b) {
  if (a.size() != b.size()) throw std::logic_error("dot: lengths differ");
  Ball result;
  if (!a.empty()) {
    arb_dot(result.raw(), nullptr, 0, a[0].raw(), 1, b[0].raw(), 1, static_cast<slong>(a.size()),
            affordable_product(products_of_dot * static_cast<double>(a.size())));
  }
  return result;
}

// Terms with a zero cost little and are many: the masses of a law on a finer lattice than its own.
Ball dot(const Ball* a, const Ball* b, std::size_t count) {
  Ball result;
  const auto filled = std::count_if(a, a + count, [](const Ball& x) { return !x.is_exact_zero(); });
  const long bits = affordable_product(products_of_dot * static_cast<double>(filled) +
                                       products_of_zero * static_cast<double>(count));
  if (filled == 0) return result;
  arb_dot(result.raw(), nullptr, 0, a->raw(), 1, b->raw(), 1, static_cast<slong>(count), bits);
  return result;
}

bool middle_is_less(const Ball& a, const Ball& b) {
  return arf_cmp(arb_midref(a.raw()), arb_midref(b.raw())) < 0;
}

Ball floor(const Ball& x) {
  Ball result;
  arb_floor(result.raw(), x.raw(), affordable_sum());
  return result;
}

Ball exact_ball(const Integer& n) {
  Ball result;
  arf_set_mpz(arb_midref(result.raw()), n.data());
  return result;
}

Ball factorial(std::uint64_t n) {
  Ball result;
  arb_fac_ui(result.raw(), n, working_precision());
  return result;
}

Ball bernoulli_number(std::uint64_t n) {
  Ball result;
  arb_bernoulli_ui(result.raw(), n, working_precision());
  return result;
}

Rational exact_rational(const Ball& x) {
  if (!x.is_exact() || !x.is_finite()) throw std::logic_error("exact_rational: ball is not exact");
  fmpq_t rational;
  fmpq_init(rational);
  arf_get_fmpq(rational, arb_midref(x.raw()));
  Rational result;
  fmpq_get_mpq(result.data(), rational);
  fmpq_clear(rational);
  return result;
}

}  // namespace plaudit
