#include "lib/exact/simplest_rational.hpp"

#include <utility>

#include "lib/work/work_limit.hpp"

namespace plaudit {

// The quotients that the continued fractions of both ends share, then the least integer between
// what is left of the ends. The ends are pairs of integers a / b and c / d: a rational would be
// reduced in each step, and numbers of ten thousand digits take tens of thousands of steps.
Rational simplest_between(const Rational& low, const Rational& high) {
  Integer a = numerator(low);  // a / b <= c / d is what is left
  Integer b = denominator(low);
  Integer c = numerator(high);
  Integer d = denominator(high);
  Integer p = 1, p_before = 0;  // convergents p / q of the quotients so far
  Integer q = 0, q_before = 1;
  const auto append = [](const Integer& quotient, Integer& last, Integer& before) {
    Integer next = quotient * last + before;
    before = std::move(last);
    last = std::move(next);
  };
  while (true) {
    check_work_limit(3e-6);
    Integer whole = a / b;
    const Integer rest = a - whole * b;
    const bool inside = rest != 0 && (whole + 1) * d <= c;
    if (inside) ++whole;
    append(whole, p, p_before);
    append(whole, q, q_before);
    if (inside || rest == 0) return Rational(p, q);
    Integer other = c - whole * d;  // positive, as c / d >= a / b > whole
    a = std::move(d);
    d = rest;
    std::swap(c, b);
    b = std::move(other);
  }
}

}  // namespace plaudit
