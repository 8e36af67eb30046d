#include "verification/checker/laws/law_summary.hpp"

#include <string_view>

#include "verification/checker/laws/law_text.hpp"
#include "verification/checker/laws/secure_hash.hpp"

namespace plaudit::proof {

namespace {

constexpr long digits_shown = 6;
constexpr long largest_shown = 1000;  ///< exponent
constexpr double bits_of_operation = 128;

Rational power_of_ten(long exponent) {
  const Integer power = pow(Integer(10), static_cast<unsigned long>(std::abs(exponent)));
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

/// floor(log10 x), or the nearest of +-(largest_shown + 1) where it is farther out.
long magnitude(const Rational& x) {
  long low = -largest_shown - 1;
  long high = largest_shown + 2;
  while (high - low > 1) {
    const long middle = low + (high - low) / 2;
    (power_of_ten(middle) <= x ? low : high) = middle;
  }
  return low;
}

/// The next number of six digits that is not above x, or not below it.
std::string rounded(const Rational& x, bool up) {
  if (x == 0) return "0";
  const bool negative = x < 0;
  const Rational size = negative ? Rational(-x) : x;
  const bool outward = up != negative;  // away from 0
  const long exponent = magnitude(size);
  const char* sign = negative ? "-" : "";
  if (exponent > largest_shown) return sign + std::string(outward ? "inf" : "1e1000");
  if (exponent < -largest_shown) return outward ? sign + std::string("1e-1000") : "0";
  const Rational unit = power_of_ten(exponent + 1 - digits_shown);
  Integer steps = floor_of(Rational(size / unit));
  if (outward && Rational(steps * unit) != size) ++steps;
  return sign + to_string(Rational(steps * unit));
}

std::string bytes_in_hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += "0123456789abcdef"[value >> 4];
    text += "0123456789abcdef"[value & 0xf];
  }
  return text;
}

/// Announces that numbers of this size are written out.
void announce(const Rational& x, Budget& budget) {
  budget.spend(1 +
               static_cast<double>(msb(denominator(x)) + mpz_sizeinbase(numerator(x).data(), 2)) /
                   bits_of_operation);
}

std::string line(const std::string& front, const Mass& mass, Budget& budget) {
  announce(mass.lower, budget);
  announce(mass.upper, budget);
  return front + ' ' + hexadecimal(mass.lower) + ' ' + hexadecimal(mass.upper) + '\n';
}

/// One direction of the canonical text, without its name.
void add_text(const StatedLaw& law, Sha256& digest, Budget& budget) {
  for (std::size_t i = 0; i < law.losses.size(); ++i) {
    if (law.masses[i].upper == 0) continue;
    announce(law.losses[i], budget);
    digest.add(line(hexadecimal(law.losses[i]), law.masses[i], budget));
  }
  digest.add(line("infinite", law.infinite, budget));
}

LawSummary::Side side(const StatedLaw& law) {
  LawSummary::Side result;
  const Rational* least = nullptr;
  const Rational* greatest = nullptr;
  for (std::size_t i = 0; i < law.losses.size(); ++i) {
    if (law.masses[i].upper == 0) continue;
    ++result.losses;
    greatest = &law.losses[i];
    if (least == nullptr) least = greatest;
  }
  if (least != nullptr) {
    result.least = rounded(*least, false);
    result.greatest = rounded(*greatest, true);
  }
  result.infinite = rounded(law.infinite.upper, true);
  return result;
}

std::string to_text(const LawSummary::Side& side) {
  return std::to_string(side.losses) + (side.losses == 1 ? " loss" : " losses") + " from " +
         side.least + " to " + side.greatest + ", infinite with probability at most " +
         side.infinite;
}

bool stays(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._-/~+:@%,").find(c) != std::string_view::npos;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += stays(c) ? std::string(1, c) : "\\x" + bytes_in_hexadecimal(std::string_view(&c, 1));
  }
  return result;
}

}  // namespace

LawSummary summary(const std::string& path, const std::string& adjacency, bool symmetric,
                   const StatedLaw& remove, const StatedLaw& add, Budget& budget) {
  Sha256 digest;
  digest.add("plaudit law 1\nadjacency " + bytes_in_hexadecimal(adjacency) + "\nremove\n");
  add_text(remove, digest, budget);
  digest.add("add\n");
  add_text(add, digest, budget);
  return {path, symmetric, side(remove), side(add), digest.digest()};
}

std::string to_text(const LawSummary& summary) {
  const std::string laws =
      summary.symmetric ? to_text(summary.remove) + ", in both directions"
                        : "remove: " + to_text(summary.remove) + "; add: " + to_text(summary.add);
  return laws + "; SHA-256 " + summary.sha256;
}

std::string quoted_path(const std::string& path) { return '"' + escaped(path) + '"'; }

std::string with_quoted_paths(const std::string& spec) {
  std::string result;
  bool inside = false;
  for (const char c : spec) {
    if (c == '"') inside = !inside;
    result += c != '"' && inside ? escaped(std::string_view(&c, 1)) : std::string(1, c);
  }
  return result;
}

}  // namespace plaudit::proof
