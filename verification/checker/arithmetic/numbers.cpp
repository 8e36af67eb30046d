#include "verification/checker/arithmetic/numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "verification/checker/arithmetic/rejected.hpp"

namespace plaudit::checker {

Integer pow(const Integer& base, unsigned long exponent) {
  Integer result;
  mpz_pow_ui(result.get_mpz_t(), base.get_mpz_t(), exponent);
  return result;
}

Integer floor_of(const mpq_class& x) {
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  return result;
}

Integer root_of(const Integer& x) { return sqrt(x); }

std::string shown(const Integer& x) {
  if (x < pow(Integer(10), 20)) return x.get_str();
  return "over 2^" + std::to_string(highest_bit(x));
}

std::size_t highest_bit(const Integer& x) { return mpz_sizeinbase(x.get_mpz_t(), 2) - 1; }

long to_long(const Integer& x) {
  if (x.fits_slong_p()) return x.get_si();
  return x < 0 ? std::numeric_limits<long>::min() : std::numeric_limits<long>::max();
}

namespace {

constexpr std::size_t longest_number = 10000;
constexpr long largest_exponent = 100000;
constexpr std::size_t longest_spec_number = 1000;  // the same limits in specs
constexpr long largest_spec_exponent = 1000;

/// Letters and digits are those of ASCII, whatever the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }

Integer power_of_ten(long exponent) {
  return pow(Integer(10), static_cast<unsigned long>(exponent));
}

/// Reads a decimal from the front of `rest`.
class Decimal {
 public:
  Decimal(std::string_view text, const std::string& what) : rest_(text), what_(what) {}

  Rational read() {
    std::string digits = run();
    if (digits.empty()) wrong();
    long exponent = 0;
    if (accept('.')) {
      const std::string places = run();
      if (places.empty()) wrong();
      digits += places;
      exponent = -static_cast<long>(places.size());
    }
    if (accept('e')) exponent += scale();
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    const Integer whole(digits.substr(first));
    if (whole == 0) return 0;
    if (exponent < 0) return Rational(whole, power_of_ten(-exponent));
    return Rational(whole * power_of_ten(exponent));
  }
  std::string_view rest() const { return rest_; }
  [[noreturn]] void wrong() const { throw Rejected(what_ + " is not an exact number"); }

 private:
  std::string run() {
    std::string digits;
    while (!rest_.empty() && is_digit(rest_.front())) {
      digits += rest_.front();
      rest_.remove_prefix(1);
    }
    return digits;
  }
  bool accept(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  long scale() {
    const bool down = accept('-');
    if (!down) accept('+');
    const std::string digits = run();
    if (digits.empty()) wrong();
    long value = 0;
    for (const char c : digits) {
      value = 10 * value + (c - '0');
      if (value > largest_exponent) throw Rejected(what_ + " has an exponent beyond +-100000");
    }
    return down ? -value : value;
  }

  std::string_view rest_;
  const std::string& what_;
};

}  // namespace

Rational read_number(std::string_view text, const std::string& what) {
  if (text.size() > longest_number) throw Rejected(what + " has over 10000 characters");
  const bool negative = !text.empty() && text.front() == '-';
  Decimal above(text.substr(negative ? 1 : 0), what);
  Rational value = above.read();
  std::string_view rest = above.rest();
  if (!rest.empty() && rest.front() == '/') {
    Decimal below(rest.substr(1), what);
    const Rational divisor = below.read();
    if (divisor == 0) throw Rejected(what + " has the denominator 0");
    value /= divisor;
    rest = below.rest();
  }
  if (!rest.empty()) above.wrong();
  return negative ? Rational(-value) : value;
}

Rational read_law_number(std::string_view text, const std::string& what) {
  require(is_moderate(text), what + " has over 1000 characters or an exponent beyond +-1000");
  return read_number(text, what);
}

namespace {

/// How often the prime divides the number.
long times(Integer number, unsigned prime) {
  const Integer factor(prime);
  return static_cast<long>(mpz_remove(number.get_mpz_t(), number.get_mpz_t(), factor.get_mpz_t()));
}

std::string shortest(const Rational& value) {
  if (value < 0) return "-" + shortest(Rational(-value));
  const Integer below = denominator(value);
  // a decimal exists where the denominator divides a power of ten: with max(twos, fives) places
  const long twos = times(below, 2);
  const long fives = times(below, 5);
  if (below != pow(Integer(2), static_cast<unsigned long>(twos)) *
                   pow(Integer(5), static_cast<unsigned long>(fives))) {
    return numerator(value).get_str() + "/" + below.get_str();
  }
  if (value == 0) return "0";
  const long places = std::max(twos, fives);
  std::string digits = Integer(numerator(value) * power_of_ten(places) / below).get_str();
  // value = 0.digits * 10^point
  const long point = static_cast<long>(digits.size()) - places;
  digits.resize(digits.find_last_not_of('0') + 1);
  const long count = static_cast<long>(digits.size());
  if (point - 1 < -4 || point - 1 >= 7) {
    const std::string tail = count > 1 ? "." + digits.substr(1) : "";
    return digits.substr(0, 1) + tail + "e" + std::to_string(point - 1);
  }
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (point >= count) return digits + std::string(static_cast<std::size_t>(point - count), '0');
  return digits.substr(0, static_cast<std::size_t>(point)) + "." +
         digits.substr(static_cast<std::size_t>(point));
}

/// p/q 10^exponent, the exponent divided among p and q.
std::string apart(const Rational& value, long exponent) {
  const Integer power = power_of_ten(std::labs(exponent));
  const Rational rest = exponent < 0 ? Rational(value * power) : Rational(value / power);
  const long above = std::clamp(exponent, -largest_spec_exponent, largest_spec_exponent);
  const auto part = [](const Integer& number, long e) {
    return number.get_str() + (e == 0 ? "" : "e" + std::to_string(e));
  };
  const std::string below = part(denominator(rest), above - exponent);
  return part(numerator(rest), above) + (below == "1" ? "" : "/" + below);
}

}  // namespace

std::string printed(const Rational& value) {
  std::string text = shortest(value);
  if (is_moderate(text)) return text;
  std::string fraction = numerator(value).get_str() + "/" + denominator(value).get_str();
  if (is_moderate(fraction)) return fraction;
  for (const unsigned prime : {5U, 2U}) {
    const long exponent = times(numerator(value), prime) - times(denominator(value), prime);
    std::string other = apart(value, exponent);
    if (is_moderate(other)) return other;
  }
  return text;
}

bool is_moderate(std::string_view number) {
  const std::size_t slash = number.find('/');
  if (slash != std::string_view::npos) {
    return is_moderate(number.substr(0, slash)) && is_moderate(number.substr(slash + 1));
  }
  if (number.size() > longest_spec_number) return false;
  const std::size_t e = number.find('e');
  if (e == std::string_view::npos) return true;
  long exponent = 0;
  for (const char c : number.substr(e + 1)) {
    if (is_digit(c)) exponent = std::min(10 * exponent + (c - '0'), 2 * largest_spec_exponent);
  }
  return exponent <= largest_spec_exponent;
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

}  // namespace plaudit::checker
