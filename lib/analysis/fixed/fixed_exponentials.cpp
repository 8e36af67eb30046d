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

constexpr int most_product_bits = 26;  ///< of w l
constexpr int lost_bits = 36;          ///< of W: errors below 2^(36-W) of 2^most_exponent
constexpr int most_points_bits = 24;

/// The same for all components.
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

template <std::size_t n>
std::optional<std::vector<ComplexBall>> sums(const std::vector<ComplexBall>& w,
                                             const std::vector<ComplexBall>& l,
                                             const std::vector<ComplexBall>& m) {
  constexpr long width = Tables<n>::width;
  constexpr double seconds_of_term = 6e-8 * n;
  const Tables<n>& tables = Tables<n>::get();
  const int bits_of_w = bits_of_sizes(w), bits_of_l = bits_of_sizes(l);
  const auto points_bits = static_cast<int>(std::bit_width(l.size()));
  if (bits_of_w + bits_of_l > most_product_bits || bits_of_sizes(m) > most_product_bits ||
      points_bits > most_points_bits) {
    return std::nullopt;
  }
  // Proof: docs/proofs/fixed_exponentials.md#sums
  const Ball error = [&] {
    const PrecisionScope scope(bits_of_limb);
    const Ball radii =
        ldexp(ldexp(greatest_radius(l), bits_of_w) + ldexp(greatest_radius(w), bits_of_l), 2) +
        ldexp(greatest_radius(m), 1);
    return Ball(std::uint64_t{l.size()}) *
           (PLAUDIT_BOUND("fixed_exponentials.radii", radii, Ball(0)) +
            PLAUDIT_BOUND("fixed_exponentials.rounding", ldexp(Ball(1), lost_bits - width),
                          Ball(0)));
  }();
  if (!certainly_less(error, ldexp(Ball(1), -6))) return std::nullopt;
  std::vector<Complex<n>> factors;
  std::vector<std::array<Limbs<n>, 2>> offsets;
  for (std::size_t j = 0; j < l.size(); ++j) {
    factors.emplace_back(l[j], width - bits_of_l);
    const Complex<n> offset(m[j], width - most_whole_bits);
    std::array<Limbs<n>, 2> parts{};
    std::size_t part = 0;
    for (const Part<n>& each : {offset.real, offset.imaginary}) {
      if (each.negative) {
        parts[part++] -= each.size;
      } else {
        parts[part++] += each.size;
      }
    }
    offsets.push_back(parts);
  }
  const int shift = most_whole_bits - bits_of_w - bits_of_l;
  std::vector<Reduced<n>> power(l.size()), angle(l.size());
  std::vector<ComplexBall> result;
  for (const ComplexBall& each : w) {
    check_work_limit(seconds_of_term * static_cast<double>(l.size()));
    const Complex<n> at(each, width - bits_of_w);
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (std::size_t j = 0; j < l.size(); ++j) {
      auto [real, imaginary] = offsets[j];
      add_product(real, at.real, factors[j].real, shift, false);
      add_product(real, at.imaginary, factors[j].imaginary, shift, true);
      add_product(imaginary, at.real, factors[j].imaginary, shift, false);
      add_product(imaginary, at.imaginary, factors[j].real, shift, false);
      power[j] = reduce(real, most_whole_bits, tables.power_step, power_reciprocal);
      angle[j] = reduce(imaginary, most_whole_bits, tables.angle_step, angle_reciprocal);
      most = std::max(most, exponent_of(power[j].steps));
    }
    // the sum stays below 2^unit in modulus
    const std::int64_t unit = most + points_bits;
    Limbs<n> real{}, imaginary{};
    for (std::size_t j = 0; j < l.size(); ++j) {
      if (exponent_of(power[j].steps) < most - width + lost_bits - 2) continue;
      const Term<n> term = exponential(tables, power[j], angle[j]);
      real += signed_shifted_down(term.real, unit - term.exponent);
      imaginary += signed_shifted_down(term.imaginary, unit - term.exponent);
    }
    result.push_back(
        widened(ComplexBall(as_ball(real, unit - width + 1), as_ball(imaginary, unit - width + 1)),
                ldexp(error, most)));
  }
  return result;
}

}  // namespace

}  // namespace fixed

std::size_t limbs_of_exponentials(long bits, std::size_t terms) {
  // 2^3: of the scale of a term to its least size
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
    // the last limb of half the number, in units of 2^(1 - 64)
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
