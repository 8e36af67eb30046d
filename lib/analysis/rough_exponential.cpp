#include "lib/analysis/rough_exponential.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace plaudit {

namespace {

constexpr double greatest_exponent = 700;  ///< of e, in size: e^x and 2^k are normal doubles
constexpr double to_integer = 0x1.8p52;  ///< y + this has the integer nearest to y in its last bits
// log 2 in two parts, the first with zeros at its end: exact times a small integer
constexpr double log_two_high = 0x1.62e42feep-1;
constexpr double log_two_low = 0x1.a39ef35793c76p-33;

struct Parts {
  double scale;  ///< 2^k
  double rise;   ///< e^r - 1
};

inline Parts parts_of(double x) {
  x = x < greatest_exponent ? x : greatest_exponent;
  x = x > -greatest_exponent ? x : -greatest_exponent;
  const double shifted = x * std::numbers::log2e + to_integer;
  const double k = shifted - to_integer;
  const double r = (x - k * log_two_high) - k * log_two_low;
  double series = 1.0 / 6227020800;
  series = series * r + 1.0 / 479001600;
  series = series * r + 1.0 / 39916800;
  series = series * r + 1.0 / 3628800;
  series = series * r + 1.0 / 362880;
  series = series * r + 1.0 / 40320;
  series = series * r + 1.0 / 5040;
  series = series * r + 1.0 / 720;
  series = series * r + 1.0 / 120;
  series = series * r + 1.0 / 24;
  series = series * r + 1.0 / 6;
  series = series * r + 0.5;
  const std::uint64_t bits = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return {std::bit_cast<double>(bits), r + r * r * series};
}

}  // namespace

void rough_exp(std::span<double> x) {
  double* const values = x.data();
  const std::size_t count = x.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Parts parts = parts_of(values[i]);
    values[i] = parts.scale * parts.rise + parts.scale;
  }
}

void rough_expm1(std::span<double> x) {
  double* const values = x.data();
  const std::size_t count = x.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Parts parts = parts_of(values[i]);
    values[i] = parts.scale * parts.rise + (parts.scale - 1);
  }
}

}  // namespace plaudit
