// Balls (lib/balls/ball.hpp) in the words of intervals.hpp, so that a proof is written once and
// evaluated in either: in balls for the answer, in intervals for the second opinion of `check`.
//
// A value without an enclosure (log 0, a quotient by what may be 0) throws Rejected in intervals
// and is a ball that is not finite in balls. Neither proves anything.
#pragma once

#include <utility>

#include "accountants/proof/arithmetic/intervals.hpp"
#include "lib/balls/ball.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/complex_ball.hpp"
#include "lib/balls/error_term.hpp"

namespace plaudit {

inline bool positive(const Ball& x) { return certainly_positive(x); }
inline bool negative(const Ball& x) { return certainly_negative(x); }
inline bool nonnegative(const Ball& x) { return certainly_nonnegative(x); }
inline bool at_most(const Ball& a, const Ball& b) { return certainly_less_equal(a, b); }
inline bool below(const Ball& a, const Ball& b) { return certainly_less(a, b); }
inline bool bounded(const Ball& x) { return x.is_finite(); }
inline Ball top(const Ball& x) { return x.upper(); }
inline Ball bottom(const Ball& x) { return x.lower(); }
inline Ball scaled(const Ball& x, long e) { return ldexp(x, e); }
inline Ball half(const Ball& x) { return ldexp(x, -1); }
/// An order for sorting: by the middles.
inline bool sorts_before(const Ball& a, const Ball& b) { return middle_is_less(a, b); }
/// Phi(-x), accurate relative to itself.
inline Ball normal_tail(const Ball& x) { return normal_cdf(-x); }
/// Phi(v) - Phi(u) for v next to u, by the mean value theorem.
inline Ball normal_between(const Ball& u, const Ball& v, const Ball&) {
  return (v - u) * normal_density(hull(u, v));
}
/// Without cancellation: -w log(1 + 1/w) - log(1+w).
inline Ball log_c(const Ball& w) { return -w * log1p(1 / w) - log1p(w); }
inline Ball real_part(const ComplexBall& z) { return z.real(); }
inline Ball imaginary_part(const ComplexBall& z) { return z.imaginary(); }
/// Whether 0 is one of the points.
inline bool may_be_zero(const ComplexBall& z) { return z.may_be_zero(); }

}  // namespace plaudit

namespace plaudit::proof {

/// About log of the upper end (of a ball: of |middle|); -inf where that is not positive. For
/// decisions, never for a bound.
double estimate_log(const Interval& x);
/// Phi(v) - Phi(u), where Phi(-u) is known.
inline Interval normal_between(const Interval&, const Interval& v, const Interval& tail_of_u) {
  return tail_of_u - normal_tail(v);
}
/// The upper end of the bound, which tests may scale, as plaudit::charged does of a ball.
Interval charged(const ErrorTerm& term, const Interval& bound);

/// Constants and what is made of integers, by one name in both arithmetics. An integer becomes a
/// ball without rounding, however long it is: the products that follow round soon enough.
template <class Real>
struct Made;
template <>
struct Made<Ball> {
  using Complex = ComplexBall;
  static Ball pi() { return plaudit::pi(); }
  static Ball from(const Integer& n) { return exact_ball(n); }
  static Ball binomial(unsigned long n, unsigned long k) { return exp(log_binomial(n, k)); }
  static Ball factorial(unsigned long n) { return plaudit::factorial(n); }
  static void divide(Ball& x, unsigned long n) { x.divide_by(n); }
};
template <>
struct Made<Interval> {
  using Complex = proof::Complex;
  static Interval pi() { return proof::pi(); }
  static Interval from(const Integer& n) { return Interval(n); }
  static Interval binomial(unsigned long n, unsigned long k);
  static Interval factorial(unsigned long n);
  static void divide(Interval& x, unsigned long n) { x /= Interval(n); }
};

/// Rectangles of complex numbers.
template <class Real>
using ComplexOf = typename Made<Real>::Complex;

inline Interval real_part(const Complex& z) { return z.re; }
inline Interval imaginary_part(const Complex& z) { return z.im; }
inline bool may_be_zero(const Complex& z) {
  return !positive(z.re) && !negative(z.re) && !positive(z.im) && !negative(z.im);
}

/// The integers that the numbers of x have just below them: the first and the last one.
std::pair<Integer, Integer> floors_of(const Ball& x);
std::pair<Integer, Integer> floors_of(const Interval& x);

inline double estimate_log(const Ball& x) { return x.estimate_log(); }

}  // namespace plaudit::proof
