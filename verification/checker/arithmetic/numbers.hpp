// Exact numbers as text: read strictly, printed in the one form that plaudit prints.
#pragma once

#include <gmpxx.h>

#include <concepts>
#include <span>
#include <string>
#include <string_view>

namespace plaudit::checker {

using Integer = mpz_class;

/// Always in lowest terms.
class Rational : public mpq_class {
 public:
  Rational() = default;
  template <class Number>
  requires std::constructible_from<mpq_class, const Number&> Rational(const Number& value)
      : mpq_class(value) {}  // NOLINT(google-explicit-constructor)
  template <class Above, class Below>
  Rational(const Above& above, const Below& below) : mpq_class(Integer(above), Integer(below)) {
    canonicalize();
  }
};

inline const Integer& numerator(const mpq_class& x) { return x.get_num(); }
inline const Integer& denominator(const mpq_class& x) { return x.get_den(); }
Integer pow(const Integer& base, unsigned long exponent);
/// The greatest integer that is not above x.
Integer floor_of(const mpq_class& x);
/// floor(sqrt(x)), x >= 0; exact.
Integer root_of(const Integer& x);
/// In digits, or where there are over 20 as a power of two that it reaches.
std::string shown(const Integer& x);
/// floor(log2 |x|), x not 0.
std::size_t highest_bit(const Integer& x);
/// The nearest end of the range of long where it does not fit.
long to_long(const Integer& x);

/// number := ['-'] digits ['.' digits] ['e' ['+'|'-'] digits], or a quotient of two, the lower one
/// positive. At most 10000 characters, exponents within +-100000. @throws Rejected naming `what`.
Rational read_number(std::string_view text, const std::string& what);

/// The same of a number in `laws`: each of its decimals has at most 1000 characters and an exponent
/// within +-1000.
Rational read_law_number(std::string_view text, const std::string& what);

/// The canonical text: a decimal where one exists, with an exponent where its leading digit stands
/// for less than 1e-4 or for 1e7 and more; else a quotient of integers in lowest terms. Where that
/// is not moderate, a fraction or one with its power of ten apart (12e1000) that is, if there is
/// one.
std::string printed(const Rational& value);

/// Decimals of at most 1000 characters with exponents within +-1000: all that specs may have.
bool is_moderate(std::string_view number);

/// By halves, which keeps the denominators small.
Rational sum(std::span<const Rational> terms);

/// `text` for a message: its beginning, with nothing unprintable.
std::string in_quotes(std::string_view text, std::size_t most = 60);

}  // namespace plaudit::checker
