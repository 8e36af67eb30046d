// Real balls: a value type with operators over Arb's arb_t (midpoint +- radius).
//
// Guarantee (F. Johansson, IEEE Trans. Computers 66 (2017)): every operation returns a ball that
// contains the exact result for all points of its operands. What is not finite (division by a ball
// that contains 0, log of a ball that is not positive) comes back as a non-finite ball; callers
// test is_finite() where a bound is made. Nothing above lib knows Arb.
#pragma once

#include <mpfr.h>  // first: FLINT 3 declares what has to do with MPFR only then
//
#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/arb.h>
#else
#include <arb.h>
#endif

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

class Ball {
 public:
  Ball() noexcept { arb_init(value_); }
  Ball(int n) : Ball(static_cast<long>(n)) {}
  Ball(long n) : Ball() { arb_set_si(value_, n); }
  Ball(long long n) : Ball(static_cast<long>(n)) {}
  Ball(unsigned long n) : Ball() { arb_set_ui(value_, n); }
  Ball(unsigned long long n) : Ball(static_cast<unsigned long>(n)) {}
  /// The double itself, exactly (a non-finite double gives a non-finite ball).
  Ball(double x) : Ball() { arb_set_d(value_, x); }
  /// Encloses the rational at the working precision.
  Ball(const Rational& q);
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(value_, other.value_); }
  Ball& operator=(const Ball& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  arb_ptr raw() noexcept { return value_; }
  arb_srcptr raw() const noexcept { return value_; }

  Ball& operator+=(const Ball& b);
  Ball& operator-=(const Ball& b);
  Ball& operator*=(const Ball& b);
  Ball& operator/=(const Ball& b);
  Ball operator-() const;
  /// By an integer, not counted as work: for loops that count their own.
  Ball& divide_by(std::uint64_t n);

  bool is_finite() const { return arb_is_finite(value_) != 0; }
  bool is_exact() const { return arb_is_exact(value_) != 0; }
  bool is_exact_zero() const { return arb_is_zero(value_) != 0; }
  /// Contains 0, or is not finite.
  bool may_be_zero() const { return !is_finite() || arb_contains_zero(value_) != 0; }

  /// The largest / smallest / middle point of the ball as exact balls (radius 0). Ends are rounded
  /// outward to twice the working precision.
  Ball upper() const;
  Ball lower() const;
  Ball middle() const;
  /// [0, m] with m >= |x| for all points x of the ball; certainly nonnegative.
  Ball up_to_greatest_size() const;
  /// The radius, as an exact ball.
  Ball radius() const;

  /// The double nearest to the midpoint: for choices, or as a number whose distance from the ball a
  /// bound adds. log|middle| for choices, also far outside of double's range (-inf for 0).
  double estimate() const;
  double estimate_log() const;

  /// Smallest double >= / largest double <= every point of the ball.
  double upper_double() const;
  double lower_double() const;

  /// Relative accuracy in bits: about log2(|middle| / radius); very large when exact.
  long relative_accuracy_bits() const;
  /// Upper bound of the radius.
  double radius_double() const;

  /// Midpoint with `digits` digits and radius, for messages.
  std::string to_string(int digits = 20) const;

 private:
  arb_t value_;
};

Ball operator+(const Ball& a, const Ball& b);
Ball operator-(const Ball& a, const Ball& b);
Ball operator*(const Ball& a, const Ball& b);
Ball operator/(const Ball& a, const Ball& b);

/// Certain comparisons: true only if the relation holds for every pair of points. Two overlapping
/// balls satisfy none of them, so `!(a < b)` does not mean `a >= b`.
bool certainly_less(const Ball& a, const Ball& b);
bool certainly_less_equal(const Ball& a, const Ball& b);
inline bool certainly_greater(const Ball& a, const Ball& b) { return certainly_less(b, a); }
inline bool certainly_greater_equal(const Ball& a, const Ball& b) {
  return certainly_less_equal(b, a);
}
inline bool certainly_positive(const Ball& a) { return arb_is_positive(a.raw()) != 0; }
inline bool certainly_negative(const Ball& a) { return arb_is_negative(a.raw()) != 0; }
inline bool certainly_nonnegative(const Ball& a) { return arb_is_nonnegative(a.raw()) != 0; }
bool overlaps(const Ball& a, const Ball& b);
/// `outer` contains every point of `inner`.
bool contains(const Ball& outer, const Ball& inner);

/// Encloses max(x, y) and min(x, y) over the points of both.
Ball max(const Ball& a, const Ball& b);
Ball min(const Ball& a, const Ball& b);
Ball abs(const Ball& a);
/// Smallest ball that contains both (at the working precision).
Ball hull(const Ball& a, const Ball& b);
/// The ball widened by every point of |error|: x + [-|error|, |error|].
Ball widened(const Ball& x, const Ball& error);
/// The ball restricted to [0, inf) where that is known to hold.
Ball clipped_nonnegative(const Ball& x);

Ball exp(const Ball& x);
Ball expm1(const Ball& x);
Ball log(const Ball& x);
Ball log1p(const Ball& x);
Ball sqrt(const Ball& x);
Ball square(const Ball& x);
Ball sin(const Ball& x);
Ball cos(const Ball& x);
Ball sinh(const Ball& x);
Ball cosh(const Ball& x);
Ball tan(const Ball& x);
Ball atan(const Ball& x);
Ball atan2(const Ball& y, const Ball& x);
/// Complementary error function.
Ball erfc(const Ball& x);
/// Standard normal distribution function Phi and density phi; Phi(x) is accurate relative to
/// itself also for x -> -inf.
Ball normal_cdf(const Ball& x);
Ball normal_density(const Ball& x);
/// x^n for an integer n >= 0, by repeated squaring.
Ball power(const Ball& x, std::uint64_t n);
/// x * 2^e, exactly.
Ball ldexp(const Ball& x, long e);
Ball pi();
/// The greatest integers at most x, over the points of x.
Ball floor(const Ball& x);
/// The integer itself, whatever its size.
Ball exact_ball(const Integer& n);
Ball factorial(std::uint64_t n);
Ball bernoulli_number(std::uint64_t n);
/// +inf, exactly.
Ball positive_infinity();
/// sum_j a_j b_j, faster and tighter than the loop.
Ball dot(const std::vector<Ball>& a, const std::vector<Ball>& b);
/// The same over `count` elements.
Ball dot(const Ball* a, const Ball* b, std::size_t count);
/// An order for sorting, by midpoints; it proves nothing of the balls.
bool middle_is_less(const Ball& a, const Ball& b);

/// The exact dyadic value of an exact ball as a rational. @throws std::logic_error when not exact.
Rational exact_rational(const Ball& x);

static_assert(sizeof(Ball) == sizeof(arb_struct), "vectors of Ball double as Arb vectors");

}  // namespace plaudit
