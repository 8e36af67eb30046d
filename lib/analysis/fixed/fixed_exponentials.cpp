// Notation of the proof page: n limbs, W = 64 n. Numbers in [0, 2) are in units of 2^(1-W), smaller
// ones in units of 2^-W, exponents in units of 2^(32-W) as two's complements.
// binary64 bound: docs/proofs/fixed_exponentials.md#turns
#include "lib/analysis/fixed/fixed_exponentials.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "lib/analysis/fixed/fixed_kernel.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace fixed {

namespace {

constexpr int most_product_bits = 26;  ///< a + b of the proof: of the products w l, and of m
constexpr int lost_bits = 36;          ///< rounding changes a term by less than 2^(E+36-W)
constexpr int most_points_bits = 24;   ///< of the number of terms

/// bits_of_size() of all components.
int bits_of_sizes(const std::vector<ComplexBall>& z) {
  int most = 0;
  for (const ComplexBall& x : z) {
    most = std::max({most, bits_of_size(x.real()), bits_of_size(x.imaginary())});
  }
  return most;
}

Ball greatest_radius(const std::vector<ComplexBall>& z) {
  Ball most;
  for (const ComplexBall& x : z) {
    most = max(most, max(x.real().radius(), x.imaginary().radius())).upper();
  }
  return most;
}

/// Upper bound of the error of each component of a sum, over 2^E for its greatest exponent E.
// Proof: docs/proofs/fixed_exponentials.md#sums
template <std::size_t n>
Ball error_of_sums(const std::vector<ComplexBall>& w, const std::vector<ComplexBall>& l,
                   const std::vector<ComplexBall>& m, int bits_of_w, int bits_of_l) {
  const PrecisionScope scope(bits_of_limb);
  const Ball radii =
      ldexp(ldexp(greatest_radius(l), bits_of_w) + ldexp(greatest_radius(w), bits_of_l), 2) +
      ldexp(greatest_radius(m), 1);
  return Ball(std::uint64_t{l.size()}) *
         (PLAUDIT_BOUND("fixed_exponentials.radii", radii, Ball(0)) +
          PLAUDIT_BOUND("fixed_exponentials.rounding", ldexp(Ball(1), lost_bits - Tables<n>::width),
                        Ball(0)));
}

/// The middle of m as an exponent: two's complements of both parts.
template <std::size_t n>
std::array<Limbs<n>, 2> exponent_parts(const ComplexBall& m) {
  const Complex<n> offset(m, Tables<n>::width - most_whole_bits);
  std::array<Limbs<n>, 2> parts{};
  std::size_t part = 0;
  for (const Part<n>& each : {offset.real, offset.imaginary}) {
    if (each.negative) {
      parts[part++] -= each.size;
    } else {
      parts[part++] += each.size;
    }
  }
  return parts;
}

/// The sum at one w after the other, without its error.
template <std::size_t n>
class SumOfExponentials {
 public:
  SumOfExponentials(const std::vector<ComplexBall>& l, const std::vector<ComplexBall>& m,
                    int bits_of_w, int bits_of_l)
      : bits_of_w_(bits_of_w),
        shift_(most_whole_bits - bits_of_w - bits_of_l),
        points_bits_(static_cast<int>(std::bit_width(l.size()))),
        power_(l.size()),
        angle_(l.size()) {
    for (std::size_t j = 0; j < l.size(); ++j) {
      factors_.emplace_back(l[j], width - bits_of_l);
      offsets_.push_back(exponent_parts<n>(m[j]));
    }
  }

  struct Value {
    ComplexBall sum;
    std::int64_t most;  ///< the exponent of the greatest term
  };
  Value at(const ComplexBall& w) {
    const Complex<n> at(w, width - bits_of_w_);
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (std::size_t j = 0; j < factors_.size(); ++j) {
      auto [real, imaginary] = offsets_[j];
      add_product(real, at.real, factors_[j].real, shift_, false);
      add_product(real, at.imaginary, factors_[j].imaginary, shift_, true);
      add_product(imaginary, at.real, factors_[j].imaginary, shift_, false);
      add_product(imaginary, at.imaginary, factors_[j].real, shift_, false);
      power_[j] = reduce(real, most_whole_bits, tables_.power_step, power_reciprocal);
      angle_[j] = reduce(imaginary, most_whole_bits, tables_.angle_step, angle_reciprocal);
      most = std::max(most, exponent_of(power_[j].steps));
    }
    // the sum stays below 2^unit in modulus
    const std::int64_t unit = most + points_bits_;
    Limbs<n> real{}, imaginary{};
    for (std::size_t j = 0; j < factors_.size(); ++j) {
      if (exponent_of(power_[j].steps) < most - width + lost_bits - 2) continue;
      const Term<n> term = exponential(tables_, power_[j], angle_[j]);
      real += signed_shifted_down(term.real, unit - term.exponent);
      imaginary += signed_shifted_down(term.imaginary, unit - term.exponent);
    }
    return {ComplexBall(as_ball(real, unit - width + 1), as_ball(imaginary, unit - width + 1)),
            most};
  }

 private:
  static constexpr long width = Tables<n>::width;
  const Tables<n>& tables_ = Tables<n>::get();
  int bits_of_w_, shift_, points_bits_;
  std::vector<Complex<n>> factors_;
  std::vector<std::array<Limbs<n>, 2>> offsets_;
  std::vector<Reduced<n>> power_, angle_;  ///< of the exponents at the last w
};

template <std::size_t n>
std::optional<std::vector<ComplexBall>> sums(const std::vector<ComplexBall>& w,
                                             const std::vector<ComplexBall>& l,
                                             const std::vector<ComplexBall>& m) {
  constexpr double seconds_of_term = 6e-8 * n;
  const int bits_of_w = bits_of_sizes(w), bits_of_l = bits_of_sizes(l);
  if (bits_of_w + bits_of_l > most_product_bits || bits_of_sizes(m) > most_product_bits ||
      static_cast<int>(std::bit_width(l.size())) > most_points_bits) {
    return std::nullopt;
  }
  const Ball error = error_of_sums<n>(w, l, m, bits_of_w, bits_of_l);
  if (!certainly_less(error, ldexp(Ball(1), -6))) return std::nullopt;
  SumOfExponentials<n> sum(l, m, bits_of_w, bits_of_l);
  std::vector<ComplexBall> result;
  for (const ComplexBall& each : w) {
    check_work_limit(seconds_of_term * static_cast<double>(l.size()));
    const auto value = sum.at(each);
    result.push_back(widened(value.sum, ldexp(error, value.most)));
  }
  return result;
}

}  // namespace

}  // namespace fixed

std::size_t limbs_of_exponentials(long bits, std::size_t terms) {
  // 2^3: a term is at least 1/8 of the 2^e to which errors are relative
  const long needed = bits + fixed::lost_bits + 3 + static_cast<int>(std::bit_width(terms));
  if (needed <= fixed::Tables<2>::width) return 2;
  return needed <= fixed::Tables<3>::width ? 3 : 0;
}

std::optional<std::vector<ComplexBall>> fixed_exponential_sums(const std::vector<ComplexBall>& w,
                                                               const std::vector<ComplexBall>& l,
                                                               const std::vector<ComplexBall>& m,
                                                               long bits) {
  if (l.empty() || l.size() != m.size()) throw std::invalid_argument("exponential sums: lengths");
  switch (limbs_of_exponentials(bits, l.size())) {
    case 2:
      return fixed::sums<2>(w, l, m);
    case 3:
      return fixed::sums<3>(w, l, m);
    default:
      return std::nullopt;
  }
}

FixedTurns::FixedTurns(const std::vector<Ball>& l) {
  for (const Ball& x : l) {
    bits_ = std::max(bits_, fixed::bits_of_size(x));
    radius_ = max(radius_, x.radius()).upper();
  }
  if (bits_ > fixed::most_product_bits) return;
  for (const Ball& x : l) {
    const fixed::Part<2> part(x, fixed::Tables<2>::width - bits_);
    angles_.push_back({part.size, part.negative});
  }
}

// Proof: docs/proofs/fixed_exponentials.md#turns
double FixedTurns::at(const Ball& s, std::vector<double>& real,
                      std::vector<double>& imaginary) const {
  const fixed::Tables<2>& tables = fixed::Tables<2>::get();
  const int bits = fixed::bits_of_size(s);
  if (bits + bits_ > fixed::most_product_bits) return infinity;
  const fixed::Part<2> at(s, tables.width - bits);
  const int shift = fixed::most_whole_bits - bits - bits_;
  real.clear();
  imaginary.clear();
  for (const Angle& angle : angles_) {
    fixed::Limbs<2> x{};
    fixed::add_product(x, at, fixed::Part<2>{angle.size, angle.negative}, shift, false);
    const auto turn = fixed::turned<2>(
        tables,
        fixed::reduce(x, fixed::most_whole_bits, tables.angle_step, fixed::angle_reciprocal),
        nullptr);
    // the highest limb of half the number, in units of 2^(1 - 64)
    real.push_back(0x1p-62 * static_cast<double>(static_cast<std::int64_t>(turn.real[1])));
    imaginary.push_back(0x1p-62 *
                        static_cast<double>(static_cast<std::int64_t>(turn.imaginary[1])));
  }
  const PrecisionScope scope(fixed::bits_of_limb);
  const Ball radii = ldexp(radius_, bits) + ldexp(s.radius(), bits_);
  return (PLAUDIT_BOUND("fixed_exponentials.radii_of_turns", radii, Ball(0)) +
          PLAUDIT_BOUND("fixed_exponentials.rounding_of_turns", ldexp(Ball(1), -53), Ball(0)))
      .upper_double();
}

}  // namespace plaudit
