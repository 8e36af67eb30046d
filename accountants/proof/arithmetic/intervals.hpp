// Intervals with MPFR end points, every operation rounded outward (MPFI), and boxes of complex
// numbers. What the checker relies on is here and nowhere else; docs/certificates.md says what is
// trusted of the libraries.
#pragma once

#include <mpfi.h>

#include <string>
#include <utility>

#include "accountants/proof/arithmetic/numbers.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit::proof {

/// While it lives, MPFR's numbers of this thread have the greatest exponents that there are: those
/// of exponentials of nearly 2^60, which both checkers take.
class GreatExponents {
 public:
  GreatExponents();
  ~GreatExponents();
  GreatExponents(const GreatExponents&) = delete;
  GreatExponents& operator=(const GreatExponents&) = delete;

 private:
  mpfr_exp_t least_;
  mpfr_exp_t greatest_;
};

/// Of the working precision (lib/balls/precision.hpp), as balls are.
class Interval {
 public:
  Interval() : Interval(0L) {}
  Interval(long n);
  Interval(unsigned long n);
  Interval(int n) : Interval(static_cast<long>(n)) {}
  explicit Interval(const Integer& n);
  explicit Interval(const Rational& q);
  Interval(const Interval& other);
  Interval(Interval&& other) noexcept;
  Interval& operator=(const Interval& other);
  Interval& operator=(Interval&& other) noexcept;
  ~Interval();

  mpfi_ptr data() { return value_; }
  mpfi_srcptr data() const { return value_; }
  mpfr_srcptr low() const { return &value_->left; }
  mpfr_srcptr high() const { return &value_->right; }

  Interval& operator+=(const Interval& other);
  Interval& operator-=(const Interval& other);
  Interval& operator*=(const Interval& other);
  Interval& operator/=(const Interval& other);  ///< @throws Rejected where `other` contains 0

 private:
  mpfi_t value_;
};

inline Interval operator+(Interval a, const Interval& b) { return a += b; }
inline Interval operator-(Interval a, const Interval& b) { return a -= b; }
inline Interval operator*(Interval a, const Interval& b) { return a *= b; }
inline Interval operator/(Interval a, const Interval& b) { return a /= b; }
Interval operator-(const Interval& a);

// For all points: "yes" is proven, "no" may mean undecided.
bool positive(const Interval& x);
bool nonnegative(const Interval& x);
bool negative(const Interval& x);
bool at_most(const Interval& a, const Interval& b);
bool below(const Interval& a, const Interval& b);
bool bounded(const Interval& x);
/// An order for sorting: by the lower ends.
bool sorts_before(const Interval& a, const Interval& b);
/// at_most against a rational, which is compared as it is and not as an enclosure.
bool exactly_at_most(const Interval& a, const Rational& b);
bool exactly_at_most(const Rational& a, const Interval& b);

/// The ends as points, as exact numbers (@throws Rejected where infinite), their hull.
Interval top(const Interval& x);
Interval bottom(const Interval& x);
Rational upper(const Interval& x);
Rational lower(const Interval& x);
Interval hull(const Interval& a, const Interval& b);
/// |x|; [-m, m] for the greatest |x| = m; half the width, rounded up, as a point.
Interval abs(const Interval& x);
Interval spread(const Interval& x);
Interval half_width(const Interval& x);
Interval max(const Interval& a, const Interval& b);
Interval min(const Interval& a, const Interval& b);

// @throws Rejected outside of the domain (log of what may be 0, sqrt of what may be negative, exp
// of what may reach 2^60).
Interval pi();
Interval exp(const Interval& x);
Interval expm1(const Interval& x);
Interval log(const Interval& x);
Interval log1p(const Interval& x);
Interval sqrt(const Interval& x);
Interval cosh(const Interval& x);
Interval sinh(const Interval& x);
Interval cos(const Interval& x);
Interval sin(const Interval& x);
std::pair<Interval, Interval> cosine_and_sine(const Interval& x);
Interval square(const Interval& x);
Interval power(const Interval& x, unsigned long exponent);
/// x 2^e, x / 2
Interval scaled(const Interval& x, long e);
Interval half(const Interval& x);
/// Phi(-x), the upper tail of the standard normal law, and its density.
Interval normal_tail(const Interval& x);
/// phi(x)/Phi(-x) for x > 0, from n >= 0 terms of Laplace's continued fraction and all that the
/// others may be: the more terms the narrower.
Interval fraction_of_tail(const Interval& x, long n);
Interval normal_density(const Interval& x);
/// log c(w), c(w) = w^w / (1+w)^(1+w), w > 0.
Interval log_c(const Interval& w);

/// A few digits of an end for messages, rounded down or up.
std::string shown_down(const Interval& x);
std::string shown_up(const Interval& x);

/// re + i im
struct Complex {
  Interval re;
  Interval im;

  Complex& operator+=(const Complex& other);
};
Complex operator+(Complex a, const Complex& b);
Complex operator-(const Complex& a, const Complex& b);
Complex operator*(const Complex& a, const Complex& b);
Complex operator*(const Interval& a, const Complex& b);
Complex operator/(const Complex& a, const Complex& b);
Complex operator-(const Complex& a);
Complex conjugate(const Complex& a);
Interval norm(const Complex& a);  ///< |a|^2
Interval abs(const Complex& a);
Complex exp(const Complex& z);
/// e^{i angle}
Complex turned(const Interval& angle);
/// Principal. @throws Rejected where the box touches the cut (-inf, 0].
Complex log(const Complex& z);
/// log(1 + z), principal; accurate next to 0. @throws Rejected as log does.
Complex log1p(const Complex& z);
/// z^n by squaring.
Complex power(Complex z, unsigned long n);

}  // namespace plaudit::proof
