// Interval arithmetic of the public interface: ball arithmetic at the working precision.
#include "api/extend/core.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit::inline v0 {

Ball to_ball(const Interval& x) {
  const bool infinite = isinf(x.lower) && isinf(x.upper) && x.lower == x.upper;
  if (infinite) return exact_ball(x.lower);
  return enclosing_ball(
      {core::MpfrFloat(x.lower.backend().data()), core::MpfrFloat(x.upper.backend().data())});
}

Interval to_interval(const Ball& x) { return to_public(enclose(x)); }

ComplexBall to_ball(const Complex& z) { return {to_ball(z.real), to_ball(z.imaginary)}; }

Complex to_complex(const ComplexBall& z) {
  return {to_interval(z.real()), to_interval(z.imaginary())};
}

long working_bits() { return working_precision(); }

Interval interval(const Number& x) { return to_interval(Ball(exact(x, "interval"))); }

Interval integer_interval(long n) { return to_interval(Ball(n)); }

Interval operator-(const Interval& x) { return to_interval(-to_ball(x)); }
Interval operator+(const Interval& a, const Interval& b) {
  return to_interval(to_ball(a) + to_ball(b));
}
Interval operator-(const Interval& a, const Interval& b) {
  return to_interval(to_ball(a) - to_ball(b));
}
Interval operator*(const Interval& a, const Interval& b) {
  return to_interval(to_ball(a) * to_ball(b));
}
Interval operator/(const Interval& a, const Interval& b) {
  return to_interval(to_ball(a) / to_ball(b));
}

Interval exp(const Interval& x) { return to_interval(exp(to_ball(x))); }
Interval expm1(const Interval& x) { return to_interval(expm1(to_ball(x))); }
Interval log(const Interval& x) { return to_interval(log(to_ball(x))); }
Interval log1p(const Interval& x) { return to_interval(log1p(to_ball(x))); }
Interval sqrt(const Interval& x) { return to_interval(sqrt(to_ball(x))); }
Interval sin(const Interval& x) { return to_interval(sin(to_ball(x))); }
Interval cos(const Interval& x) { return to_interval(cos(to_ball(x))); }
Interval normal_cdf(const Interval& x) { return to_interval(normal_cdf(to_ball(x))); }

Interval max(const Interval& a, const Interval& b) {
  return {a.lower < b.lower ? b.lower : a.lower, a.upper < b.upper ? b.upper : a.upper};
}
Interval min(const Interval& a, const Interval& b) {
  return {b.lower < a.lower ? b.lower : a.lower, b.upper < a.upper ? b.upper : a.upper};
}
Interval hull(const Interval& a, const Interval& b) {
  return {b.lower < a.lower ? b.lower : a.lower, a.upper < b.upper ? b.upper : a.upper};
}
bool certainly_less(const Interval& a, const Interval& b) { return a.upper < b.lower; }
bool certainly_less_equal(const Interval& a, const Interval& b) { return a.upper <= b.lower; }

Complex complex(const Interval& real) { return to_complex(ComplexBall(to_ball(real))); }
Complex operator+(const Complex& a, const Complex& b) {
  return to_complex(to_ball(a) + to_ball(b));
}
Complex operator-(const Complex& a, const Complex& b) {
  return to_complex(to_ball(a) - to_ball(b));
}
Complex operator*(const Complex& a, const Complex& b) {
  return to_complex(to_ball(a) * to_ball(b));
}
Complex operator*(const Interval& a, const Complex& b) {
  return to_complex(ComplexBall(to_ball(a)) * to_ball(b));
}
Complex operator/(const Complex& a, const Complex& b) {
  return to_complex(to_ball(a) / to_ball(b));
}
Complex exp(const Complex& z) { return to_complex(exp(to_ball(z))); }

}  // namespace plaudit::inline v0
