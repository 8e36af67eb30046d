// Boxes of complex numbers.
#include "accountants/proof/arithmetic/intervals.hpp"
#include "accountants/proof/arithmetic/narrow_intervals.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

Complex& Complex::operator+=(const Complex& other) {
  re += other.re;
  im += other.im;
  return *this;
}
Complex operator+(Complex a, const Complex& b) { return a += b; }
Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
Complex operator-(const Complex& a) { return {-a.re, -a.im}; }
Complex operator*(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Complex operator*(const Interval& a, const Complex& b) { return {a * b.re, a * b.im}; }
Complex operator/(const Complex& a, const Complex& b) {
  const Interval size = norm(b);
  return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}
Complex conjugate(const Complex& a) { return {a.re, -a.im}; }
Interval norm(const Complex& a) { return square(a.re) + square(a.im); }
Interval abs(const Complex& a) { return sqrt(norm(a)); }

Complex turned(const Interval& angle) {
  auto [cosine, sine] = cosine_and_sine(angle);
  return {std::move(cosine), std::move(sine)};
}

Complex exp(const Complex& z) {
  const Interval size = exp(z.re);
  return size * turned(z.im);
}

namespace {

Interval arctangent(const Interval& x) {
  if (std::optional<Interval> found = narrow_arctangent(x)) return *std::move(found);
  Interval result;
  mpfi_atan(result.data(), x.data());
  return result;
}

/// The angle in (-pi, pi), from quotients that lie on one branch of the arctangent each.
Interval angle(const Complex& z) {
  if (positive(z.re)) return arctangent(z.im / z.re);
  if (positive(z.im)) return scaled(pi(), -1) - arctangent(z.re / z.im);
  if (negative(z.im)) return -scaled(pi(), -1) - arctangent(z.re / z.im);
  throw Rejected("a logarithm of a box that touches its cut");
}

}  // namespace

Complex log(const Complex& z) {
  Interval direction = angle(z);
  return {scaled(log(norm(z)), -1), std::move(direction)};
}

Complex log1p(const Complex& z) {
  Interval direction = angle({Interval(1) + z.re, z.im});
  return {scaled(log1p(scaled(z.re, 1) + norm(z)), -1), std::move(direction)};
}

Complex power(Complex z, unsigned long n) {
  Complex result{1, 0};
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = result * z;
    z = z * z;
  }
  return result;
}

}  // namespace plaudit::proof
