// Notation of the proof page, as in fixed_kernel.hpp: both parts of L_j = log f_j are below
// 2^(b-1).
#include "lib/analysis/fixed/fixed_sizes.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "lib/analysis/fixed/fixed_logarithm.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace fixed {

namespace {

constexpr long bits_lost_by_sizes = 14;  ///< a choice

/// Of f > 0, or of the upper half plane; nothing for others.
std::optional<Logarithm<2>> upper_logarithm(const Tables<2>& tables, const ComplexBall& f) {
  const std::optional<Scaled<2>> number = scaled<2>(f);
  std::optional<Logarithm<2>> log = number ? guess(*number) : std::nullopt;
  if (!log || log->imaginary < 0 || log->imaginary > most_angle) return std::nullopt;
  const bool real = arb_is_zero(acb_imagref(f.raw())) != 0;
  if (!(real ? add_rest_of_real(tables, *number, *log) : add_rest(tables, *number, *log))) {
    return std::nullopt;
  }
  return log;
}

// Proof: docs/proofs/fixed_exponentials.md#sizes
std::optional<Ball> sum_of_sizes(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                 const Ball& r, const Ball& s, long bits) {
  constexpr double seconds_of_point = 2e-7;
  constexpr long width = Tables<2>::width;
  if (f.empty() || !are_few(points, f.size())) return std::nullopt;
  const std::optional<Ball> radius = greatest_relative_radius(f);
  if (!radius) return std::nullopt;
  const bool turned = !s.is_exact_zero();
  const int of_r = bits_of_size(r), of_s = bits_of_size(s), b = bits_of_logarithms(f);
  const int of_w = turned ? std::max(of_r, of_s) + 1 : of_r;  // of both products
  const int whole_bits = std::max(of_w + b, bits_of_squares(points, f.size())) + 2;
  if (b > most_bits_of_guess || whole_bits > most_whole_bits ||
      bits + bits_lost_by_sizes + of_w > width) {
    return std::nullopt;
  }
  const Squares<2> squares(points, whole_bits);
  if (!squares.is_exact()) return std::nullopt;
  check_work_limit(seconds_of_point * static_cast<double>(f.size()));

  const PrecisionScope of_errors(bits_of_limb);
  // the same for all terms; and the radii of f
  const Ball of_term =
      Ball(term_by_exponent) *
          PLAUDIT_BOUND("fixed_sizes.radius_of_power", ldexp(r.radius() + s.radius(), b), Ball(0)) +
      PLAUDIT_BOUND("fixed_sizes.rounding", rounding_of_term<2>(of_w, b, whole_bits), Ball(0));
  const Ball by_radius = ldexp(Ball(1.01 * term_by_exponent), of_w);
  if (!certainly_less(of_term + by_radius * *radius, ldexp(Ball(1), -8))) return std::nullopt;

  const Tables<2>& tables = Tables<2>::get();
  const Part<2> power(r, width - of_r), turn(s, width - of_s);
  std::vector<Term<2>> terms;
  terms.reserve(f.size());
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  SumOfRadii radii;
  long j = points.first;
  for (const ComplexBall& z : f) {
    const std::optional<Logarithm<2>> log = upper_logarithm(tables, z);
    if (!log) return std::nullopt;
    Limbs<2> exponent = squares.at(j++)[0];
    add_product(exponent, power, in_units(log->real, log->real_rest, b), whole_bits - of_r - b,
                false);
    if (turned) {
      add_product(exponent, turn, in_units(log->imaginary, log->imaginary_rest, b),
                  whole_bits - of_s - b, true);
    }
    terms.push_back(
        exponential(tables, reduce(exponent, whole_bits, tables.power_step, power_reciprocal)));
    most = std::max(most, terms.back().exponent);
    radii.add(z, terms.back().exponent);
  }
  // the sum stays below 2^unit / 4
  const std::int64_t unit = most + static_cast<int>(std::bit_width(f.size()));
  Limbs<2> sum{};
  for (const Term<2>& term : terms) {
    sum += signed_shifted_down(term.real, std::min<std::int64_t>(unit - term.exponent, width));
  }
  const Ball cut = PLAUDIT_BOUND(
      "fixed_sizes.cut", ldexp(Ball(std::uint64_t{f.size()}), unit - most + 1 - width), Ball(0));
  const Ball error = sum_of_scales(terms, most) * of_term +
                     PLAUDIT_BOUND("fixed_sizes.radii", by_radius * radii.in_units(most), Ball(0)) +
                     cut;
  return widened(as_ball(sum, unit + 1 - width), ldexp(error, most).upper());
}

}  // namespace

}  // namespace fixed

std::optional<Ball> fixed_sum_of_sizes(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                       const Ball& r, const Ball& s, long bits) {
  return fixed::sum_of_sizes(f, points, r, s, bits);
}

}  // namespace plaudit
