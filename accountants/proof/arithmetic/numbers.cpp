#include "accountants/proof/arithmetic/numbers.hpp"

#include <limits>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

Integer root_of(const Integer& x) {
  Integer result;
  mpz_sqrt(result.data(), x.data());
  return result;
}

std::string shown(const Integer& x) {
  if (x < pow(Integer(10), 20)) return x.str();
  return "over 2^" + std::to_string(msb(x));
}

long to_long(const Integer& x) {
  if (mpz_fits_slong_p(x.data()) != 0) return mpz_get_si(x.data());
  return x < 0 ? std::numeric_limits<long>::min() : std::numeric_limits<long>::max();
}

namespace {

/// Takes digits of ASCII from the front, whatever the locale. How many there were.
std::size_t take_digits(std::string_view& rest) {
  std::size_t count = 0;
  while (count < rest.size() && rest[count] >= '0' && rest[count] <= '9') ++count;
  rest.remove_prefix(count);
  return count;
}

bool take(std::string_view& rest, char c) {
  if (rest.empty() || rest.front() != c) return false;
  rest.remove_prefix(1);
  return true;
}

/// digits ['.' digits] ['e' ['+'|'-'] digits]
bool take_decimal(std::string_view& rest) {
  if (take_digits(rest) == 0) return false;
  if (take(rest, '.') && take_digits(rest) == 0) return false;
  if (!take(rest, 'e')) return true;
  if (!take(rest, '-')) take(rest, '+');
  return take_digits(rest) != 0;
}

bool is_number(std::string_view rest) {
  take(rest, '-');
  return take_decimal(rest) && (!take(rest, '/') || take_decimal(rest)) && rest.empty();
}

}  // namespace

// The language of specs has more numbers than certificates have: "+1", ".5", "1E3".
Rational read_number(std::string_view text, const std::string& what) {
  try {
    require(is_number(text), what + " is not an exact number");
    return parse_rational(text);
  } catch (const NumberError& error) {
    throw Rejected(what + " " + error.what());
  }
}

Rational read_law_number(std::string_view text, const std::string& what) {
  require(is_moderate(text), what + " has over 1000 characters or an exponent beyond +-1000");
  return read_number(text, what);
}

Rational sum(std::span<const Rational> terms) {
  if (terms.size() < 2) return terms.empty() ? Rational(0) : terms[0];
  const std::size_t middle = terms.size() / 2;
  return sum(terms.first(middle)) + sum(terms.subspan(middle));
}

std::string in_quotes(std::string_view text, std::size_t most) {
  std::string result = "'";
  for (const char c : text.substr(0, most)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > most ? "...'" : "'");
}

}  // namespace plaudit::proof
