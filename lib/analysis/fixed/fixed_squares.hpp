// Squares of equidistant points in fixed point: exponents of a normal density on a line. Notation
// as in fixed_kernel.hpp. Proof: docs/proofs/fixed_exponentials.md#terms
#pragma once

#include <array>
#include <cmath>
#include <cstdlib>

#include "lib/analysis/fixed/fixed_kernel.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

/// The points z_j = (first + j) d + i eta; d and eta of few bits.
struct FixedPoints {
  double d;
  double eta;
  long first;
};

namespace fixed {

constexpr long most_steps = 1L << 40;                      ///< greatest index of a first point
constexpr std::size_t most_points = std::size_t{1} << 22;  ///< fewer points than these
constexpr int bits_of_short = 20;                          ///< of d and of eta

/// So that squares of z_j are exact in 128 bits, and sum_of_scales() fits 64.
inline bool are_few(const FixedPoints& points, std::size_t count) {
  return std::labs(points.first) < most_steps && count < most_points;
}

/// e with 2^e > |Re z^2|, |Im z^2| for all points: twice the sum of squares covers the roundings.
inline int bits_of_squares(const FixedPoints& points, std::size_t count) {
  const double low = static_cast<double>(points.first) * points.d;
  const double high = low + static_cast<double>(count) * points.d;
  return bits_of_size(Ball(2 * (low * low + high * high + points.eta * points.eta)));
}

/// A double of few bits: whole 2^-shift.
struct Short {
  std::int64_t whole;
  long shift;

  explicit Short(double x) {
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    whole = checked_integer(std::ldexp(mantissa, bits_of_short), "fixed terms: points");
    shift = bits_of_short - exponent;
    exact = std::ldexp(static_cast<double>(whole), -static_cast<int>(shift)) == x;
  }
  bool exact;
};

/// -z^2 / 2 at points z = j d + i eta, exactly, in units of 2^(H-W).
template <std::size_t n>
class Squares {
 public:
  /// @param whole_bits at least two more than the bits of z^2
  Squares(const FixedPoints& points, int whole_bits)
      : d_(points.d), eta_(points.eta), room_(2L * bits_of_limb - whole_bits) {}

  bool is_exact() const {
    return d_.exact && eta_.exact &&
           std::max({2 * d_.shift + 1, 2 * eta_.shift + 1, d_.shift + eta_.shift}) <= room_;
  }
  std::array<Limbs<n>, 2> at(long j) const {
    const SignedWide y = SignedWide{d_.whole} * j;  // below 2^60
    return {
        exponent(SignedWide{eta_.whole} * eta_.whole, 2 * eta_.shift + 1, y * y, 2 * d_.shift + 1),
        exponent(0, 0, y * eta_.whole, d_.shift + eta_.shift)};
  }

 private:
  /// a 2^-of_a - b 2^-of_b
  Limbs<n> exponent(SignedWide a, long of_a, SignedWide b, long of_b) const {
    const Wide value = (static_cast<Wide>(a) << (a == 0 ? 0 : room_ - of_a)) -
                       (static_cast<Wide>(b) << (b == 0 ? 0 : room_ - of_b));
    Limbs<n> result{};
    result[n - 2] = low_half(value);
    result[n - 1] = high_half(value);
    return result;
  }

  Short d_, eta_;
  long room_;
};

}  // namespace fixed

}  // namespace plaudit
