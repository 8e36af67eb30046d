// Complex balls: a value type with operators over Arb's acb_t (a rectangle: two real balls).
// Guarantee and failure as in ball.hpp.
#pragma once

#include "lib/balls/ball.hpp"  // first, as it reads MPFR before FLINT
//
#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/acb.h>
#else
#include <acb.h>
#endif

#include <vector>

namespace plaudit {

class ComplexBall {
 public:
  ComplexBall() noexcept { acb_init(value_); }
  ComplexBall(const Ball& real) : ComplexBall() { arb_set(acb_realref(value_), real.raw()); }
  ComplexBall(const Ball& real, const Ball& imaginary) : ComplexBall(real) {
    arb_set(acb_imagref(value_), imaginary.raw());
  }
  ComplexBall(const ComplexBall& other) : ComplexBall() { acb_set(value_, other.value_); }
  ComplexBall(ComplexBall&& other) noexcept : ComplexBall() { acb_swap(value_, other.value_); }
  ComplexBall& operator=(const ComplexBall& other) {
    acb_set(value_, other.value_);
    return *this;
  }
  ComplexBall& operator=(ComplexBall&& other) noexcept {
    acb_swap(value_, other.value_);
    return *this;
  }
  ~ComplexBall() { acb_clear(value_); }

  acb_ptr raw() noexcept { return value_; }
  acb_srcptr raw() const noexcept { return value_; }

  Ball real() const;
  Ball imaginary() const;

  ComplexBall& operator+=(const ComplexBall& b);
  ComplexBall& operator-=(const ComplexBall& b);
  ComplexBall& operator*=(const ComplexBall& b);
  ComplexBall& operator/=(const ComplexBall& b);
  ComplexBall operator-() const;
  /// Operations that are not counted as work: for loops that count their own.
  ComplexBall& scale(const Ball& real);
  ComplexBall& add_real(const Ball& real);
  ComplexBall& divide_by(std::uint64_t n);

  bool is_finite() const { return acb_is_finite(value_) != 0; }
  /// Contains 0, or is not finite.
  bool may_be_zero() const { return !is_finite() || acb_contains_zero(value_) != 0; }

 private:
  acb_t value_;
};

ComplexBall operator+(const ComplexBall& a, const ComplexBall& b);
ComplexBall operator-(const ComplexBall& a, const ComplexBall& b);
ComplexBall operator*(const ComplexBall& a, const ComplexBall& b);
ComplexBall operator/(const ComplexBall& a, const ComplexBall& b);

ComplexBall conjugate(const ComplexBall& z);

/// For bounds that hold for Im z = s >= 0 only. @throws std::domain_error unless s >= 0 certainly.
void require_upward(const Ball& s);

/// f(z) for an f that is real on the real axis, so that f(conj z) = conj f(z), and that is
/// evaluated where Im z >= 0 certainly only: below by symmetry. A ball that meets both half planes
/// gets the hull of the values in both.
template <class Function>
ComplexBall by_reflection(const ComplexBall& z, const Function& f) {
  if (certainly_nonnegative(z.imaginary())) return f(z);
  if (certainly_negative(z.imaginary())) return conjugate(f(conjugate(z)));
  if (!z.imaginary().is_finite()) return z;
  const ComplexBall above = f(ComplexBall(z.real(), z.imaginary().up_to_greatest_size()));
  return ComplexBall(above.real(), hull(above.imaginary(), -above.imaginary()));
}
Ball abs(const ComplexBall& z);
/// |z| to about eight digits, at a small part of the cost.
Ball rough_abs(const ComplexBall& z);
/// Principal argument; a ball that meets the branch cut gives [-pi, pi].
Ball argument(const ComplexBall& z);
ComplexBall exp(const ComplexBall& z);
ComplexBall expm1(const ComplexBall& z);
ComplexBall log(const ComplexBall& z);
ComplexBall log1p(const ComplexBall& z);
ComplexBall sqrt(const ComplexBall& z);
/// The complementary error function, entire.
ComplexBall erfc(const ComplexBall& z);
ComplexBall square(const ComplexBall& z);
ComplexBall sinh(const ComplexBall& z);
ComplexBall cosh(const ComplexBall& z);
/// sinh(z) / z, entire.
ComplexBall sinhc(const ComplexBall& z);
/// z^n for an integer n >= 0.
ComplexBall power(const ComplexBall& z, std::uint64_t n);
/// z * 2^e, exactly.
ComplexBall ldexp(const ComplexBall& z, long e);
/// The rectangle widened by |error| in both coordinates: contains every z + e with |e| <= |error|.
ComplexBall widened(const ComplexBall& z, const Ball& error);
/// The square that contains the disk |z| <= bound.
ComplexBall disk(const Ball& bound);
bool overlaps(const ComplexBall& a, const ComplexBall& b);

/// (1, x, x^2, ..., x^(count-1)) by a balanced tree of products: x^k from x^(k/2), so that radii
/// grow like k^1.5 instead of 2^(k/2).
std::vector<ComplexBall> powers(const ComplexBall& x, std::size_t count);

/// sum_j a_j b_j over `count` elements.
ComplexBall dot(const ComplexBall* a, const ComplexBall* b, std::size_t count);
ComplexBall dot(const std::vector<ComplexBall>& a, const std::vector<ComplexBall>& b);

static_assert(sizeof(ComplexBall) == sizeof(acb_struct),
              "vectors of ComplexBall double as Arb vectors");

}  // namespace plaudit
