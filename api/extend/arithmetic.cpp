// Interval arithmetic of the public interface: ball arithmetic at the working precision.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "api/extend/core.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit::inline v0 {

Ball to_ball(const Interval& x) {
  const bool infinite = isinf(x.lower) && isinf(x.upper) && x.lower == x.upper;
  if (infinite) return exact_ball(x.lower);
  return enclosing_ball(x.lower.backend().data(), x.upper.backend().data());
}

Interval to_interval(const Ball& x) {
  Interval result;
  enclose(x, result.lower.backend().data(), result.upper.backend().data());
  return result;
}

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
Interval erfc(const Interval& x) { return to_interval(erfc(to_ball(x))); }
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
Interval abs(const Interval& x) {
  if (x.lower >= 0 || !(x.lower <= x.upper)) return x;  // ends that are no numbers stay so
  Interval mirrored{x.upper, x.lower};  // exactly: a ball around 0 would round its radius
  mirrored.lower.backend().negate();
  mirrored.upper.backend().negate();
  return x.upper <= 0 ? mirrored : Interval{Real(0), max(mirrored, x).upper};
}

Interval pow(const Interval& x, std::uint64_t n) {
  if (!(x.lower <= x.upper)) return x;
  // the powers of the ends, for x^n rises on each side of 0
  const auto power = [&](const Real& end) {
    Ball result(1);
    Ball squared = exact_ball(end);
    for (std::uint64_t left = n; left > 0; left /= 2, squared = square(squared)) {
      if (left % 2 == 1) result *= squared;
    }
    return to_interval(result);
  };
  if (n % 2 == 1 || x.lower >= 0) return hull(power(x.lower), power(x.upper));
  const Interval size = abs(x);
  return n == 0 ? interval(1) : hull(power(size.lower), power(size.upper));
}

Real width(const Interval& x) {
  if (isinf(x.lower) || isinf(x.upper)) return x.lower == x.upper ? Real(0) : Real(INFINITY);
  return to_interval(exact_ball(x.upper) - exact_ball(x.lower)).upper;
}

Real midpoint(const Interval& x) {
  if (isinf(x.lower)) return isinf(x.upper) ? Real(0) : x.upper;
  if (isinf(x.upper)) return x.lower;
  const Real middle = (x.lower + x.upper) / 2;
  return middle < x.lower ? x.lower : middle > x.upper ? x.upper : middle;
}

bool contains(const Interval& x, const Real& point) { return x.lower <= point && point <= x.upper; }
bool contains(const Interval& x, const Interval& y) {
  return x.lower <= y.lower && y.upper <= x.upper;
}

std::ostream& operator<<(std::ostream& out, const Interval& x) {
  const int digits = std::max(1, static_cast<int>(out.precision()));
  return out << '[' << decimal_below(exact_ball(x.lower), digits) << ", "
             << decimal_above(exact_ball(x.upper), digits) << ']';
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
