#include "lib/balls/complex_ball.hpp"

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/acb_hypgeom.h>
#else
#include <acb_hypgeom.h>
#endif

#include <bit>
#include <stdexcept>

#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {

using ComplexOperation = void (*)(acb_t, const acb_t, slong);

// Nominal costs, in products of real balls.
constexpr double products_of_term = 2;  ///< of a term of a dot product, which is rounded as a whole
constexpr double products_of_bit = 5;  ///< of a bit of an exponent: a square, or that and a product
constexpr double products_of_abs = 6;

template <ComplexOperation operation>
ComplexBall applied(const ComplexBall& z) {
  ComplexBall result;
  operation(result.raw(), z.raw(), affordable_precision(3));
  return result;
}

}  // namespace

Ball ComplexBall::real() const {
  Ball result;
  arb_set(result.raw(), acb_realref(value_));
  return result;
}
Ball ComplexBall::imaginary() const {
  Ball result;
  arb_set(result.raw(), acb_imagref(value_));
  return result;
}

ComplexBall& ComplexBall::operator+=(const ComplexBall& b) {
  acb_add(value_, value_, b.value_, affordable_sum(2));
  return *this;
}
ComplexBall& ComplexBall::operator-=(const ComplexBall& b) {
  acb_sub(value_, value_, b.value_, affordable_sum(2));
  return *this;
}
ComplexBall& ComplexBall::operator*=(const ComplexBall& b) {
  acb_mul(value_, value_, b.value_, affordable_product(4));
  return *this;
}
ComplexBall& ComplexBall::operator/=(const ComplexBall& b) {
  acb_div(value_, value_, b.value_, affordable_product(12));
  return *this;
}
ComplexBall ComplexBall::operator-() const {
  ComplexBall result;
  acb_neg(result.value_, value_);
  return result;
}

ComplexBall& ComplexBall::scale(const Ball& real) {
  acb_mul_arb(value_, value_, real.raw(), working_precision());
  return *this;
}
ComplexBall& ComplexBall::add_real(const Ball& real) {
  arb_add(acb_realref(value_), acb_realref(value_), real.raw(), working_precision());
  return *this;
}
ComplexBall& ComplexBall::divide_by(std::uint64_t n) {
  arb_div_ui(acb_realref(value_), acb_realref(value_), n, working_precision());
  arb_div_ui(acb_imagref(value_), acb_imagref(value_), n, working_precision());
  return *this;
}

ComplexBall operator+(const ComplexBall& a, const ComplexBall& b) {
  ComplexBall result;
  acb_add(result.raw(), a.raw(), b.raw(), affordable_sum(2));
  return result;
}
ComplexBall operator-(const ComplexBall& a, const ComplexBall& b) {
  ComplexBall result;
  acb_sub(result.raw(), a.raw(), b.raw(), affordable_sum(2));
  return result;
}
ComplexBall operator*(const ComplexBall& a, const ComplexBall& b) {
  ComplexBall result;
  acb_mul(result.raw(), a.raw(), b.raw(), affordable_product(4));
  return result;
}
ComplexBall operator/(const ComplexBall& a, const ComplexBall& b) {
  ComplexBall result;
  acb_div(result.raw(), a.raw(), b.raw(), affordable_product(12));
  return result;
}

ComplexBall expm1(const ComplexBall& z) { return applied<acb_expm1>(z); }
ComplexBall sinhc(const ComplexBall& z) {
  ComplexBall turned;
  acb_mul_onei(turned.raw(), z.raw());
  ComplexBall result;
  acb_sinc(result.raw(), turned.raw(), affordable_precision(3));
  return result;
}
ComplexBall power(const ComplexBall& z, std::uint64_t n) {
  ComplexBall result;
  acb_pow_ui(result.raw(), z.raw(), n,
             affordable_product(products_of_bit * static_cast<double>(std::bit_width(n))));
  return result;
}
ComplexBall ldexp(const ComplexBall& z, long e) {
  ComplexBall result;
  acb_mul_2exp_si(result.raw(), z.raw(), e);
  return result;
}

ComplexBall conjugate(const ComplexBall& z) {
  ComplexBall result;
  acb_conj(result.raw(), z.raw());
  return result;
}

void require_upward(const Ball& s) {
  if (!certainly_nonnegative(s)) throw std::domain_error("a line upward is needed");
}

Ball abs(const ComplexBall& z) {
  Ball result;
  acb_abs(result.raw(), z.raw(), affordable_product(products_of_abs));
  return result;
}

Ball rough_abs(const ComplexBall& z) {
  constexpr slong bits_of_magnitudes = 40;  // more than the 30 bits of Arb's bounds of sizes
  mag_t below;
  mag_t above;
  mag_init(below);
  mag_init(above);
  acb_get_mag_lower(below, z.raw());
  acb_get_mag(above, z.raw());
  Ball result;
  arb_set_interval_mag(result.raw(), below, above, bits_of_magnitudes);
  mag_clear(below);
  mag_clear(above);
  return result;
}

Ball argument(const ComplexBall& z) {
  Ball result;
  acb_arg(result.raw(), z.raw(), affordable_precision(1));
  return result;
}

ComplexBall exp(const ComplexBall& z) { return applied<acb_exp>(z); }
ComplexBall log(const ComplexBall& z) { return applied<acb_log>(z); }
ComplexBall log1p(const ComplexBall& z) { return applied<acb_log1p>(z); }
ComplexBall sqrt(const ComplexBall& z) { return applied<acb_sqrt>(z); }
ComplexBall erfc(const ComplexBall& z) {
  ComplexBall result;
  acb_hypgeom_erfc(result.raw(), z.raw(), affordable_precision(30));  // logarithms
  return result;
}
ComplexBall sinh(const ComplexBall& z) { return applied<acb_sinh>(z); }
ComplexBall cosh(const ComplexBall& z) { return applied<acb_cosh>(z); }

ComplexBall square(const ComplexBall& z) {
  ComplexBall result;
  acb_mul(result.raw(), z.raw(), z.raw(), affordable_product(4));
  return result;
}

ComplexBall widened(const ComplexBall& z, const Ball& error) {
  ComplexBall result(z);
  arb_add_error(acb_realref(result.raw()), error.raw());
  arb_add_error(acb_imagref(result.raw()), error.raw());
  return result;
}

ComplexBall disk(const Ball& bound) { return widened(ComplexBall(), bound); }

bool overlaps(const ComplexBall& a, const ComplexBall& b) {
  return acb_overlaps(a.raw(), b.raw()) != 0;
}

std::vector<ComplexBall> powers(const ComplexBall& x, std::size_t count) {
  std::vector<ComplexBall> result(count);
  if (count > 0) result[0] = ComplexBall(1);
  if (count > 1) result[1] = x;
  for (std::size_t k = 2; k < count; ++k) {
    acb_mul(result[k].raw(), result[k / 2].raw(), result[k - k / 2].raw(), affordable_product(4));
  }
  return result;
}

ComplexBall dot(const ComplexBall* a, const ComplexBall* b, std::size_t count) {
  ComplexBall result;
  if (count > 0) {
    acb_dot(result.raw(), nullptr, 0, a->raw(), 1, b->raw(), 1, static_cast<slong>(count),
            affordable_product(products_of_term * static_cast<double>(count)));
  }
  return result;
}

ComplexBall dot(const std::vector<ComplexBall>& a, const std::vector<ComplexBall>& b) {
  if (a.size() != b.size()) throw std::logic_error("dot: lengths differ");
  return dot(a.data(), b.data(), a.size());
}

}  // namespace plaudit
