// Upper bounds of exponentials in binary64, from the four operations of IEEE 754 alone: no library
// function, whose error no theorem bounds.
// binary64 bound: docs/proofs/hyperbola.md#exponentials
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "lib/constants.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

/// For |x| up to this e^x is a normal double; e^x for x < -700 is bounded by e^-700.
inline constexpr double farthest_exponent = 700;

/// >= e^x; at most e^x (1 + 1e-7) for |x| <= 700, +inf for x > 700 and for a NaN.
inline double upper_exponential(double x) {
  constexpr double shift = 0x1.8p52;  // rounds to an integer, which it leaves in the last bits
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double log_2_high = 0x1.62e42feep-1;  // 32 bits: its products with integers are exact
  constexpr double log_2_low = 0x1.a39ef35793c76p-33;
  const double low = x < -farthest_exponent ? -farthest_exponent : x;
  const double shifted = low * log2_e + shift;
  const double k = shifted - shift;
  const double r = (low - k * log_2_high) - k * log_2_low;
  double sum = 1.0 / 5040;
  for (const double coefficient : {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0}) {
    sum = sum * r + coefficient;
  }
  const double power =
      std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + std::uint64_t{1023}) << 52U);
  return x <= farthest_exponent
             ? sum * power * PLAUDIT_BOUND("upper_exponential.above", 1 + 0x1p-24, 1 - 0x1p-24)
             : infinity;
}

}  // namespace plaudit
