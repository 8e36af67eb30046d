// Exact integers and rationals: values with operators over GMP's mpz_t and mpq_t.
//
// Not Boost.Multiprecision's classes, whose header takes longer to compile than the rest of this
// project. A double is no operand: checked_integer.hpp converts doubles.
#pragma once

#include <gmp.h>

#include <compare>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <string>
#include <utility>

namespace plaudit {

template <class T>
concept MachineInteger = std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= sizeof(long);

/// -1, 0 or 1 as an ordering.
constexpr std::strong_ordering ordering_of(int sign) { return sign <=> 0; }

class Integer {
 public:
  Integer() { mpz_init(value_); }
  template <MachineInteger T>
  Integer(T value) {
    if constexpr (std::signed_integral<T>) {
      mpz_init_set_si(value_, value);
    } else {
      mpz_init_set_ui(value_, value);
    }
  }
  Integer(bool) = delete;
  Integer(double) = delete;
  /// Decimal digits with an optional minus. @throws std::invalid_argument
  explicit Integer(const char* digits);
  Integer(const Integer& other) { mpz_init_set(value_, other.value_); }
  Integer(Integer&& other) noexcept {
    mpz_init(value_);
    mpz_swap(value_, other.value_);
  }
  Integer& operator=(const Integer& other) {
    mpz_set(value_, other.value_);
    return *this;
  }
  Integer& operator=(Integer&& other) noexcept {
    mpz_swap(value_, other.value_);
    return *this;
  }
  ~Integer() { mpz_clear(value_); }

  mpz_ptr data() { return value_; }
  mpz_srcptr data() const { return value_; }

  Integer& operator+=(const Integer& x) {
    mpz_add(value_, value_, x.value_);
    return *this;
  }
  Integer& operator-=(const Integer& x) {
    mpz_sub(value_, value_, x.value_);
    return *this;
  }
  Integer& operator*=(const Integer& x) {
    mpz_mul(value_, value_, x.value_);
    return *this;
  }
  /// Quotients are rounded towards 0, remainders have the sign of the dividend, as for int.
  /// @throws std::overflow_error for a divisor of 0.
  Integer& operator/=(const Integer& x);
  Integer& operator%=(const Integer& x);
  Integer& operator<<=(unsigned long bits) {
    mpz_mul_2exp(value_, value_, bits);
    return *this;
  }
  Integer& operator++() { return *this += 1; }
  Integer& operator--() { return *this -= 1; }

  friend Integer operator+(Integer a, const Integer& b) { return std::move(a += b); }
  friend Integer operator-(Integer a, const Integer& b) { return std::move(a -= b); }
  friend Integer operator*(Integer a, const Integer& b) { return std::move(a *= b); }
  friend Integer operator/(Integer a, const Integer& b) { return std::move(a /= b); }
  friend Integer operator%(Integer a, const Integer& b) { return std::move(a %= b); }
  friend Integer operator<<(Integer a, unsigned long bits) { return std::move(a <<= bits); }
  Integer operator-() const {
    Integer result(*this);
    mpz_neg(result.value_, value_);
    return result;
  }

  friend bool operator==(const Integer& a, const Integer& b) {
    return mpz_cmp(a.value_, b.value_) == 0;
  }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
    return ordering_of(mpz_cmp(a.value_, b.value_));
  }
  template <MachineInteger T>
  friend bool operator==(const Integer& a, T b) {
    return std::is_eq(a <=> b);
  }
  template <MachineInteger T>
  friend std::strong_ordering operator<=>(const Integer& a, T b) {
    if constexpr (std::signed_integral<T>) {
      return ordering_of(mpz_cmp_si(a.value_, b));
    } else {
      return ordering_of(mpz_cmp_ui(a.value_, b));
    }
  }

  /// The same number. @throws std::overflow_error where T has no such number.
  template <MachineInteger T>
  T to() const {
    if (*this < std::numeric_limits<T>::min() || *this > std::numeric_limits<T>::max()) refuse();
    if constexpr (std::signed_integral<T>) {
      return static_cast<T>(mpz_get_si(value_));
    } else {
      return static_cast<T>(mpz_get_ui(value_));
    }
  }
  /// Decimal digits.
  std::string str() const;

 private:
  [[noreturn]] static void refuse();

  mpz_t value_;
};

Integer abs(const Integer& x);
Integer pow(const Integer& base, unsigned long exponent);
Integer gcd(const Integer& a, const Integer& b);
Integer lcm(const Integer& a, const Integer& b);
/// The place of the most significant bit of |x|, x not 0: the place of 1 is 0.
std::size_t msb(const Integer& x);
std::ostream& operator<<(std::ostream& out, const Integer& x);

/// Always in lowest terms, the denominator positive.
class Rational {
 public:
  Rational() { mpq_init(value_); }
  template <MachineInteger T>
  Rational(T value) {
    mpq_init(value_);
    if constexpr (std::signed_integral<T>) {
      mpz_set_si(mpq_numref(value_), value);
    } else {
      mpz_set_ui(mpq_numref(value_), value);
    }
  }
  Rational(bool) = delete;
  Rational(double) = delete;
  Rational(const Integer& value) {
    mpq_init(value_);
    mpz_set(mpq_numref(value_), value.data());
  }
  /// @throws std::overflow_error for a denominator of 0.
  Rational(const Integer& numerator, const Integer& denominator);
  Rational(const Rational& other) {
    mpq_init(value_);
    mpq_set(value_, other.value_);
  }
  Rational(Rational&& other) noexcept {
    mpq_init(value_);
    mpq_swap(value_, other.value_);
  }
  Rational& operator=(const Rational& other) {
    mpq_set(value_, other.value_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    mpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { mpq_clear(value_); }

  /// What is written through it must be in lowest terms.
  mpq_ptr data() { return value_; }
  mpq_srcptr data() const { return value_; }

  Rational& operator+=(const Rational& x) {
    mpq_add(value_, value_, x.value_);
    return *this;
  }
  Rational& operator-=(const Rational& x) {
    mpq_sub(value_, value_, x.value_);
    return *this;
  }
  Rational& operator*=(const Rational& x) {
    mpq_mul(value_, value_, x.value_);
    return *this;
  }
  /// @throws std::overflow_error for a divisor of 0.
  Rational& operator/=(const Rational& x);

  friend Rational operator+(Rational a, const Rational& b) { return std::move(a += b); }
  friend Rational operator-(Rational a, const Rational& b) { return std::move(a -= b); }
  friend Rational operator*(Rational a, const Rational& b) { return std::move(a *= b); }
  friend Rational operator/(Rational a, const Rational& b) { return std::move(a /= b); }
  Rational operator-() const {
    Rational result(*this);
    mpq_neg(result.value_, value_);
    return result;
  }

  friend bool operator==(const Rational& a, const Rational& b) {
    return mpq_equal(a.value_, b.value_) != 0;
  }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return ordering_of(mpq_cmp(a.value_, b.value_));
  }
  template <MachineInteger T>
  friend bool operator==(const Rational& a, T b) {
    return std::is_eq(a <=> b);
  }
  template <MachineInteger T>
  friend std::strong_ordering operator<=>(const Rational& a, T b) {
    if constexpr (std::signed_integral<T>) {
      return ordering_of(mpq_cmp_si(a.value_, b, 1));
    } else {
      return ordering_of(mpq_cmp_ui(a.value_, b, 1));
    }
  }

 private:
  mpq_t value_;
};

Integer numerator(const Rational& x);
Integer denominator(const Rational& x);
Rational abs(const Rational& x);
/// "1/3", "2"
std::ostream& operator<<(std::ostream& out, const Rational& x);

}  // namespace plaudit
