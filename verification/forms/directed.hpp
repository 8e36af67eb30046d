// Intervals with MPFR ends, every operation rounded outward by MPFR's directed rounding.
//
// The arithmetic of the closed forms that check the accountants: it shares no code with the balls
// (neither Arb nor FLINT). The ends of a result are those of the operation at the ends, correctly
// rounded downward and upward, so an interval contains the exact result for all points of its
// operands. Functions that are not monotone are not offered.
#pragma once

#include <mpfr.h>

#include <functional>
#include <optional>
#include <string>

#include "lib/exact/rational.hpp"

namespace plaudit {

class Directed {
 public:
  Directed();
  Directed(long n);
  Directed(int n) : Directed(static_cast<long>(n)) {}
  explicit Directed(double x);
  Directed(const Rational& q);
  Directed(const Directed& other);
  Directed(Directed&& other) noexcept;
  Directed& operator=(const Directed& other);
  Directed& operator=(Directed&& other) noexcept;
  ~Directed();

  /// Bits of new intervals of this thread (200 at first).
  static void set_precision(long bits);
  static long precision();

  mpfr_srcptr lower() const { return lower_; }
  mpfr_srcptr upper() const { return upper_; }
  /// The ends as intervals of one point.
  Directed low_end() const;
  Directed high_end() const;
  bool is_finite() const;
  /// Certain comparisons: for every pair of points.
  bool certainly_less(const Directed& other) const {
    return mpfr_less_p(upper_, other.lower_) != 0;
  }
  bool certainly_positive() const { return mpfr_sgn(lower_) > 0; }
  double estimate() const { return mpfr_get_d(lower_, MPFR_RNDN); }
  /// Decimals with `digits` significant digits, rounded downward and upward.
  std::string below(int digits) const;
  std::string above(int digits) const;
  /// The exact ends. @throws std::logic_error where not finite.
  Rational exact_lower() const;
  Rational exact_upper() const;

  friend Directed operator+(const Directed& a, const Directed& b);
  friend Directed operator-(const Directed& a, const Directed& b);
  friend Directed operator*(const Directed& a, const Directed& b);
  friend Directed operator/(const Directed& a, const Directed& b);
  friend Directed operator-(const Directed& a);
  friend Directed exp(const Directed& x);
  friend Directed log(const Directed& x);
  friend Directed sqrt(const Directed& x);
  /// Complementary error function (decreasing).
  friend Directed erfc(const Directed& x);
  friend Directed max(const Directed& a, const Directed& b);
  friend Directed hull(const Directed& a, const Directed& b);

 private:
  mpfr_t lower_;
  mpfr_t upper_;
};

/// The standard normal distribution function.
Directed normal_below(const Directed& x);
/// x^n for x > 0.
Directed power(const Directed& x, unsigned long n);
/// The binomial coefficient.
Directed choose(unsigned long n, unsigned long k);
/// A value by 200, 800, 3200 bits, until its relative width is below 10^-15 or the work limit is
/// reached: what is known by then, or nothing.
std::optional<Directed> refined(const std::function<std::optional<Directed>()>& value);

}  // namespace plaudit
