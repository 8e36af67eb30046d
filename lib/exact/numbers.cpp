#include "lib/exact/numbers.hpp"

#include <ostream>
#include <stdexcept>

namespace plaudit {

// Counts, indices and exponents of bounds are `long`; none was held against one of 32 bits, which
// Windows has.
static_assert(sizeof(long) == 8, "plaudit needs `long` of 64 bits");

namespace {

void refuse_zero(bool zero) {
  if (zero) throw std::overflow_error("division by zero");
}

}  // namespace

Integer::Integer(const char* digits) {
  if (mpz_init_set_str(value_, digits, 10) != 0) {
    mpz_clear(value_);
    throw std::invalid_argument("not a decimal integer");
  }
}

Integer& Integer::operator/=(const Integer& x) {
  refuse_zero(x == 0);
  mpz_tdiv_q(value_, value_, x.value_);
  return *this;
}

Integer& Integer::operator%=(const Integer& x) {
  refuse_zero(x == 0);
  mpz_tdiv_r(value_, value_, x.value_);
  return *this;
}

void Integer::refuse() { throw std::overflow_error("an integer beyond the machine's"); }

std::string Integer::str() const {
  std::string digits(mpz_sizeinbase(value_, 10) + 2, '\0');  // a sign and the final zero
  mpz_get_str(digits.data(), 10, value_);
  digits.resize(digits.find('\0'));
  return digits;
}

Integer abs(const Integer& x) {
  Integer result;
  mpz_abs(result.data(), x.data());
  return result;
}

Integer pow(const Integer& base, unsigned long exponent) {
  Integer result;
  mpz_pow_ui(result.data(), base.data(), exponent);
  return result;
}

Integer gcd(const Integer& a, const Integer& b) {
  Integer result;
  mpz_gcd(result.data(), a.data(), b.data());
  return result;
}

Integer lcm(const Integer& a, const Integer& b) {
  Integer result;
  mpz_lcm(result.data(), a.data(), b.data());
  return result;
}

std::size_t msb(const Integer& x) { return mpz_sizeinbase(x.data(), 2) - 1; }

std::ostream& operator<<(std::ostream& out, const Integer& x) { return out << x.str(); }

Rational::Rational(const Integer& numerator, const Integer& denominator) {
  refuse_zero(denominator == 0);
  mpq_init(value_);
  mpz_set(mpq_numref(value_), numerator.data());
  mpz_set(mpq_denref(value_), denominator.data());
  mpq_canonicalize(value_);
}

Rational& Rational::operator/=(const Rational& x) {
  refuse_zero(x == 0);
  mpq_div(value_, value_, x.value_);
  return *this;
}

Integer numerator(const Rational& x) {
  Integer result;
  mpz_set(result.data(), mpq_numref(x.data()));
  return result;
}

Integer denominator(const Rational& x) {
  Integer result;
  mpz_set(result.data(), mpq_denref(x.data()));
  return result;
}

Rational abs(const Rational& x) {
  Rational result;
  mpq_abs(result.data(), x.data());
  return result;
}

std::ostream& operator<<(std::ostream& out, const Rational& x) {
  const Integer below = denominator(x);
  out << numerator(x);
  return below == 1 ? out : out << '/' << below;
}

}  // namespace plaudit
