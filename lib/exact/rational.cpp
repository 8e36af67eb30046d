#include "lib/exact/rational.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "lib/constants.hpp"

namespace plaudit {

namespace {

constexpr long largest_exponent = 100000;    ///< of 10: a short text asks for no huge number
constexpr std::size_t largest_text = 10000;  ///< characters

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// 12, 0.8, .5, 1e-3, with an optional sign.
Rational parse_decimal(std::string_view text) {
  std::size_t at = 0;
  bool negative = false;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) negative = text[at++] == '-';
  std::string digits;
  long exponent = 0;
  while (at < text.size() && is_digit(text[at])) digits += text[at++];
  if (at < text.size() && text[at] == '.') {
    ++at;
    while (at < text.size() && is_digit(text[at])) {
      digits += text[at++];
      --exponent;
    }
  }
  if (digits.empty()) throw NumberError("is not a number");
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    bool down = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) down = text[at++] == '-';
    if (at >= text.size() || !is_digit(text[at])) throw NumberError("is not a number");
    long given = 0;
    while (at < text.size() && is_digit(text[at])) {
      given = 10 * given + (text[at++] - '0');
      if (given > largest_exponent) {
        throw NumberError("has an exponent beyond +-" + std::to_string(largest_exponent));
      }
    }
    exponent += down ? -given : given;
  }
  if (at != text.size()) throw NumberError("is not a number");
  Rational value(
      Integer{digits.c_str() + std::min(digits.find_first_not_of('0'), digits.size() - 1)});
  const Integer scale = pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  if (exponent < 0) {
    value /= scale;
  } else {
    value *= scale;
  }
  return negative ? Rational(-value) : value;
}

}  // namespace

Rational parse_rational(std::string_view text) {
  if (text.size() > largest_text) throw NumberError("is a number of over 10000 characters");
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_decimal(text);
  const Rational denominator = parse_decimal(text.substr(slash + 1));
  if (denominator == 0) throw NumberError("has a zero denominator");
  return parse_decimal(text.substr(0, slash)) / denominator;
}

namespace {

std::string shortest(const Rational& value) {
  Integer numerator = plaudit::numerator(value);
  const Integer denominator = plaudit::denominator(value);
  std::string fraction =
      denominator == 1 ? numerator.str() : numerator.str() + "/" + denominator.str();
  // A decimal exists iff the denominator is 2^a 5^b; it then has max(a, b) places.
  Integer rest = denominator;
  const auto removed = [&rest](unsigned prime) {
    const Integer factor(prime);
    return static_cast<long>(mpz_remove(rest.data(), rest.data(), factor.data()));
  };
  const long twos = removed(2);
  const long fives = removed(5);
  if (rest != 1 || value == 0) return fraction;
  const long places = std::max(twos, fives);
  const bool negative = numerator < 0;
  if (negative) numerator = -numerator;
  numerator *= pow(Integer(10), static_cast<unsigned>(places));
  numerator /= denominator;
  std::string digits = numerator.str();
  const std::size_t last = digits.find_last_not_of('0');
  const long exponent = static_cast<long>(digits.size() - 1 - last) - places;
  digits.resize(last + 1);  // value = digits * 10^exponent, digits not divisible by 10
  const long count = static_cast<long>(digits.size());
  std::string plain;
  if (exponent >= 0) {
    plain = digits + std::string(static_cast<std::size_t>(std::min(exponent, 40L)), '0');
  } else if (count + exponent > 0) {
    plain = digits.substr(0, static_cast<std::size_t>(count + exponent)) + "." +
            digits.substr(static_cast<std::size_t>(count + exponent));
  } else {
    plain = "0." + std::string(static_cast<std::size_t>(std::min(-exponent - count, 40L)), '0') +
            digits;
  }
  const long leading = exponent + count - 1;
  std::string scientific = digits.substr(0, 1);
  if (count > 1) scientific += "." + digits.substr(1);
  scientific += "e" + std::to_string(leading);
  const bool plain_is_natural = leading >= -4 && leading < 7;
  const std::string& shown = plain_is_natural ? plain : scientific;
  return negative ? "-" + shown : shown;
}

/// How often the prime divides the value: negative where it divides the denominator.
long valuation(const Rational& value, unsigned prime) {
  const auto times = [prime](Integer number) {
    const Integer factor(prime);
    return static_cast<long>(mpz_remove(number.data(), number.data(), factor.data()));
  };
  return times(numerator(value)) - times(denominator(value));
}

/// value as "PeA/QeB", A the exponent clamped to what the spec language reads, B = A - exponent.
std::string split(const Rational& value, long exponent) {
  const Integer power = pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  const Rational rest = exponent < 0 ? Rational(value * power) : Rational(value / power);
  const long above = std::clamp(exponent, -largest_decimal_exponent, largest_decimal_exponent);
  const auto part = [](const Integer& number, long power_of_ten) {
    return number.str() + (power_of_ten == 0 ? "" : "e" + std::to_string(power_of_ten));
  };
  const std::string below = part(denominator(rest), above - exponent);
  return part(numerator(rest), above) + (below == "1" ? "" : "/" + below);
}

}  // namespace

std::string to_string(const Rational& value) {
  std::string shown = shortest(value);
  if (is_moderate(shown)) return shown;
  std::string fraction = numerator(value).str() + "/" + denominator(value).str();
  if (is_moderate(fraction)) return fraction;
  for (const unsigned prime : {5U, 2U}) {
    std::string other = split(value, valuation(value, prime));
    if (is_moderate(other)) return other;
  }
  return shown;
}

bool is_moderate(std::string_view number) {
  const std::size_t slash = number.find('/');
  if (slash != std::string_view::npos) {
    return is_moderate(number.substr(0, slash)) && is_moderate(number.substr(slash + 1));
  }
  if (number.size() > longest_decimal) return false;
  const std::size_t e = number.find('e');
  if (e == std::string_view::npos) return true;
  long exponent = 0;  // without its sign; the text may be anybody's
  for (const char c : number.substr(e + 1)) {
    if (is_digit(c)) exponent = std::min(10 * exponent + (c - '0'), 2 * largest_decimal_exponent);
  }
  return exponent <= largest_decimal_exponent;
}

namespace {
/// value = mantissa * 2^exponent with 1/2 <= |mantissa| <= 2, for value != 0.
double scaled(const Rational& value, long& exponent) {
  const Integer numerator = plaudit::numerator(value);
  const Integer denominator = plaudit::denominator(value);
  long up = 0;
  long down = 0;
  const double top = mpz_get_d_2exp(&up, numerator.data());
  const double bottom = mpz_get_d_2exp(&down, denominator.data());
  exponent = up - down;
  return top / bottom;
}
}  // namespace

double estimate(const Rational& value) {
  if (value == 0) return 0;
  long exponent = 0;
  const double mantissa = scaled(value, exponent);
  if (exponent > 2000) return mantissa * infinity;
  if (exponent < -2000) return 0;
  return std::ldexp(mantissa, static_cast<int>(exponent));
}

double estimate_log(const Rational& value) {
  if (value == 0) return -infinity;
  long exponent = 0;
  const double mantissa = scaled(value, exponent);
  return std::log(std::fabs(mantissa)) + static_cast<double>(exponent) * log_two;
}

Integer floor_of(const Rational& x) {
  Integer result;
  mpz_fdiv_q(result.data(), mpq_numref(x.data()), mpq_denref(x.data()));
  return result;
}

// gcd(p/q, r/s) = gcd(p s, r q) / (q s)
Rational common_divisor(const Rational& a, const Rational& b) {
  const Integer first = numerator(a) * denominator(b);
  const Integer second = numerator(b) * denominator(a);
  return {gcd(first, second), Integer(denominator(a) * denominator(b))};
}

// Over a common denominator: a sum of quotients one by one takes a greatest common divisor each.
Rational sum_of(const std::vector<Rational>& values) {
  Integer common = 1;
  Integer sum = 0;
  for (const Rational& value : values) {
    const Integer below = denominator(value);
    if (common % below != 0) {
      const Integer factor = below / gcd(common, below);
      common *= factor;
      sum *= factor;
    }
    sum += numerator(value) * Integer(common / below);
  }
  return {sum, common};
}

}  // namespace plaudit
