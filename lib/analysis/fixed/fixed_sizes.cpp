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

constexpr long bits_lost_by_sizes = 14;  ///< to rounding, beside those of w; a choice

/// The principal logarithm of an f > 0, or with an argument in [0, 3.13]; nothing for others.
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

/// How large the numbers are: |r| < 2^of_r, |s| < 2^of_s, |Re L| and |Im L| < 2^of_log, both
/// products together as w L with |w| < 2^of_w, and exponents have so many whole bits.
struct BitsOfSizes {
  bool turned;
  int of_r, of_s, of_log, of_w, whole;

  BitsOfSizes(const std::vector<ComplexBall>& f, const FixedPoints& points, const Ball& r,
              const Ball& s)
      : turned(!s.is_exact_zero()),
        of_r(bits_of_size(r)),
        of_s(bits_of_size(s)),
        of_log(bits_of_logarithms(f)),
        of_w(turned ? std::max(of_r, of_s) + 1 : of_r),
        whole(std::max(of_w + of_log, bits_of_squares(points, f.size())) + 2) {}

  bool fit(long bits) const {
    return of_log <= most_bits_of_guess && whole <= most_whole_bits &&
           bits + bits_lost_by_sizes + of_w <= Tables<2>::width;
  }
};

/// |e^(w L - z^2 / 2)|, w = r + i s, from a logarithm L of f at z.
class SizePowers {
 public:
  SizePowers(const FixedPoints& points, const Ball& r, const Ball& s, const BitsOfSizes& bits)
      : bits_(bits),
        squares_(points, bits.whole),
        power_(r, Tables<2>::width - bits.of_r),
        turn_(s, Tables<2>::width - bits.of_s) {}

  bool are_exact() const { return squares_.is_exact(); }

  Term<2> term(long j, const Logarithm<2>& log) const {
    Limbs<2> exponent = squares_.at(j)[0];
    add_product(exponent, power_, in_units(log.real, log.real_rest, bits_.of_log),
                bits_.whole - bits_.of_r - bits_.of_log, false);
    if (bits_.turned) {
      add_product(exponent, turn_, in_units(log.imaginary, log.imaginary_rest, bits_.of_log),
                  bits_.whole - bits_.of_s - bits_.of_log, true);
    }
    return exponential(tables_,
                       reduce(exponent, bits_.whole, tables_.power_step, power_reciprocal));
  }

 private:
  const Tables<2>& tables_ = Tables<2>::get();
  BitsOfSizes bits_;
  Squares<2> squares_;
  Part<2> power_, turn_;
};

/// Of all terms, rounded down to units of 2^(unit + 1 - W); the sum stays below 2^unit / 4.
Ball sum_of_terms(const std::vector<Term<2>>& terms, std::int64_t unit) {
  constexpr long width = Tables<2>::width;
  Limbs<2> sum{};
  for (const Term<2>& term : terms) {
    sum += signed_shifted_down(term.real, std::min<std::int64_t>(unit - term.exponent, width));
  }
  return as_ball(sum, unit + 1 - width);
}

// Proof: docs/proofs/fixed_exponentials.md#sizes
std::optional<Ball> sum_of_sizes(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                 const Ball& r, const Ball& s, long bits) {
  constexpr double seconds_of_point = 2e-7;
  if (f.empty() || !are_few(points, f.size())) return std::nullopt;
  const std::optional<Ball> radius = greatest_relative_radius(f);
  if (!radius) return std::nullopt;
  const BitsOfSizes sizes(f, points, r, s);
  if (!sizes.fit(bits)) return std::nullopt;
  const SizePowers powers(points, r, s, sizes);
  if (!powers.are_exact()) return std::nullopt;

  const PrecisionScope of_errors(bits_of_limb);
  // what is the same for all terms, and what the relative radius of f is multiplied by
  const Ball of_term =
      Ball(term_by_exponent) * PLAUDIT_BOUND("fixed_sizes.radius_of_power",
                                             ldexp(r.radius() + s.radius(), sizes.of_log),
                                             Ball(0)) +
      PLAUDIT_BOUND("fixed_sizes.rounding",
                    rounding_of_term<2>(sizes.of_w, sizes.of_log, sizes.whole), Ball(0));
  const Ball by_radius = ldexp(Ball(1.01 * term_by_exponent), sizes.of_w);
  if (!certainly_less(of_term + by_radius * *radius, ldexp(Ball(1), -8))) return std::nullopt;

  const Tables<2>& tables = Tables<2>::get();
  std::vector<Term<2>> terms;
  terms.reserve(f.size());
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  SumOfRadii radii;
  long j = points.first;
  for (const ComplexBall& z : f) {
    check_work_limit_in_turn(terms.size(), f.size(), seconds_of_point);
    const std::optional<Logarithm<2>> log = upper_logarithm(tables, z);
    if (!log) return std::nullopt;
    terms.push_back(powers.term(j++, *log));
    most = std::max(most, terms.back().exponent);
    radii.add(z, terms.back().exponent);
  }
  const std::int64_t unit = most + static_cast<int>(std::bit_width(f.size()));
  const Ball cut = PLAUDIT_BOUND(
      "fixed_sizes.cut", ldexp(Ball(std::uint64_t{f.size()}), unit - most + 1 - Tables<2>::width),
      Ball(0));
  const Ball error = sum_of_scales(terms, most) * of_term +
                     PLAUDIT_BOUND("fixed_sizes.radii", by_radius * radii.in_units(most), Ball(0)) +
                     cut;
  return widened(sum_of_terms(terms, unit), ldexp(error, most).upper());
}

}  // namespace

}  // namespace fixed

std::optional<Ball> fixed_sum_of_sizes(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                       const Ball& r, const Ball& s, long bits) {
  return fixed::sum_of_sizes(f, points, r, s, bits);
}

}  // namespace plaudit
