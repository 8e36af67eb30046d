// Notation of the proof page, as in fixed_kernel.hpp: both parts of L_j = log f_j are below
// 2^(b-1).
#include "lib/analysis/fixed/fixed_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lib/analysis/fixed/fixed_logarithm.hpp"
#include "lib/analysis/fixed/fixed_squares.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace fixed {

namespace {

/// Puts x 2^-down, x in units of 2^(3-W), into a part of number i, rounded down.
template <std::size_t n>
void put(FixedNumbers& to, FixedNumbers::Part part, std::size_t i, const Limbs<n>& x,
         std::int64_t down) {
  const Limbs<n> value = signed_shifted_down(x, std::min<std::int64_t>(down, Tables<n>::width));
  const auto limbs = static_cast<std::size_t>(to.limbs());
  FixedNumbers::Limb* const place = to.at(part, i);
  std::copy_n(value.begin() + (n - limbs), limbs, place);
  place[limbs - 1] += FixedNumbers::offset;
}

/// How large the numbers are: |r| < 2^of_r, |step| < 2^of_step, |Re L| and |Im L| < 2^of_log,
/// |z^2| < 2^of_square.
struct Sizes {
  int of_r, of_step, of_log, of_square;

  int whole_bits() const { return std::max(of_r + of_log, of_square) + 2; }
  int whole_bits_of_turn() const { return of_step + of_log + 2; }
  bool fit(const FixedPoints& points, std::size_t count) const {
    return of_r <= most_whole_bits && of_step <= most_whole_bits && of_log <= most_bits_of_guess &&
           of_square <= most_whole_bits &&
           std::max(whole_bits(), whole_bits_of_turn()) <= most_whole_bits &&
           are_few(points, count);
  }
  /// About log2 of the errors in units of 2^-W, by which the number of limbs is chosen.
  int lost_bits() const {
    constexpr int of_logarithms = 10, of_products = 3, of_base = 3;
    return std::max(of_r, of_step + of_base) + std::max(of_logarithms, of_log + of_products);
  }
};

/// Upper bounds of the errors of terms, each over 2^e for the exponent e of the term.
struct LineErrors {
  Ball of_weight;  ///< of each g_j, but for the radius of f_j
  Ball by_radius;  ///< times the relative radius of f_j: what that adds to the error of g_j
  Ball of_base;    ///< of each u_j, with the greatest radius of all f_j

  bool are_small(const Ball& radius_of_f) const {
    return certainly_less(of_weight + of_base + (by_radius + Ball(1)) * radius_of_f,
                          ldexp(Ball(1), -8));
  }
};

/// What is the same for all terms e^(w L): by the radius of w and by rounding.
template <std::size_t n>
Ball error_of_power(int of_w, const Ball& radius_of_w, int of_log, int whole_bits) {
  return Ball(term_by_exponent) *
             PLAUDIT_BOUND("fixed_terms.radius_of_power", ldexp(radius_of_w, of_log), Ball(0)) +
         PLAUDIT_BOUND("fixed_terms.rounding", rounding_of_term<n>(of_w, of_log, whole_bits),
                       Ball(0));
}

template <std::size_t n>
LineErrors errors_on_line(const Ball& r, const Ball& step, const Sizes& sizes,
                          const Ball& radius_of_f) {
  const auto by_radius = [](int of_w) { return ldexp(Ball(1.01 * term_by_exponent), of_w); };
  return {
      error_of_power<n>(sizes.of_r, r.radius(), sizes.of_log, sizes.whole_bits()),
      by_radius(sizes.of_r),
      error_of_power<n>(sizes.of_step, step.radius(), sizes.of_log, sizes.whole_bits_of_turn()) +
          PLAUDIT_BOUND("fixed_terms.radii_of_bases", by_radius(sizes.of_step) * radius_of_f,
                        Ball(0))};
}

/// The principal logarithm of an f with an argument in [0, 3.13], in units of 2^(b-W).
template <std::size_t n>
struct PrincipalLogarithm {
  Part<n> real, imaginary;
};
template <std::size_t n>
std::optional<PrincipalLogarithm<n>> principal_logarithm(const Tables<n>& tables,
                                                         const ComplexBall& f, int of_log) {
  const std::optional<Scaled<n>> number = scaled<n>(f);
  std::optional<Logarithm<n>> log = number ? guess(*number) : std::nullopt;
  if (!log || log->imaginary < 0 || log->imaginary > most_angle ||
      !add_rest(tables, *number, *log)) {
    return std::nullopt;
  }
  return PrincipalLogarithm<n>{in_units(log->real, log->real_rest, of_log),
                               in_units(log->imaginary, log->imaginary_rest, of_log)};
}

/// e^(r L - z^2 / 2) and e^(i step L), from a logarithm L of f at z.
template <std::size_t n>
class LinePowers {
 public:
  LinePowers(const FixedPoints& points, const Ball& r, const Ball& step, const Sizes& sizes)
      : sizes_(sizes),
        squares_(points, whole_bits_),
        power_(r, Tables<n>::width - sizes.of_r),
        turn_(step, Tables<n>::width - sizes.of_step) {}

  bool are_exact() const { return squares_.is_exact(); }

  Term<n> weight(long j, const PrincipalLogarithm<n>& log) const {
    const int down = whole_bits_ - sizes_.of_r - sizes_.of_log;
    auto [real, imaginary] = squares_.at(j);
    add_product(real, power_, log.real, down, false);
    add_product(imaginary, power_, log.imaginary, down, false);
    return exponential(tables_, reduce(real, whole_bits_, tables_.power_step, power_reciprocal),
                       reduce(imaginary, whole_bits_, tables_.angle_step, angle_reciprocal));
  }

  /// Nothing where the modulus is not certainly at most about 1.
  std::optional<Term<n>> base(const PrincipalLogarithm<n>& log) const {
    constexpr int down = 2;  // H less the bits of both factors
    Limbs<n> real{}, imaginary{};
    add_product(real, turn_, log.imaginary, down, true);
    add_product(imaginary, turn_, log.real, down, false);
    const Reduced<n> size = reduce(real, whole_bits_of_turn_, tables_.power_step, power_reciprocal);
    if (size.steps > 0) return std::nullopt;
    return exponential(
        tables_, size,
        reduce(imaginary, whole_bits_of_turn_, tables_.angle_step, angle_reciprocal));
  }

 private:
  const Tables<n>& tables_ = Tables<n>::get();
  Sizes sizes_;
  int whole_bits_ = sizes_.whole_bits(), whole_bits_of_turn_ = sizes_.whole_bits_of_turn();
  Squares<n> squares_;
  Part<n> power_, turn_;
};

template <std::size_t n>
void put_base(FixedNumbers& bases, std::size_t i, const Term<n>& base) {
  constexpr int greatest_exponent = 3;  // e of a base: x 2^(1-W) 2^e = 2 x 2^(3-W) 2^(e-3)
  put(bases, FixedNumbers::part_real, i, doubled(base.real, 1), greatest_exponent - base.exponent);
  put(bases, FixedNumbers::part_imaginary, i, doubled(base.imaginary, 1),
      greatest_exponent - base.exponent);
  bases.add_parts(i);
}

/// In units of 2^exponent.
template <std::size_t n>
void put_weights(FixedNumbers& to, const std::vector<Term<n>>& weights, std::int64_t exponent) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::int64_t below = exponent + 2 - weights[i].exponent;
    put(to, FixedNumbers::part_real, i, weights[i].real, below);
    put(to, FixedNumbers::part_imaginary, i, weights[i].imaginary, below);
    to.add_parts(i);
  }
}

template <std::size_t n>
std::optional<FixedTerms> terms(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                const Ball& r, const Ball& step, const Sizes& sizes,
                                const Ball& radius_of_f, int limbs) {
  constexpr double seconds_of_point = 2e-7 * n;
  const Tables<n>& tables = Tables<n>::get();
  const LinePowers<n> powers(points, r, step, sizes);
  if (!powers.are_exact()) return std::nullopt;
  const PrecisionScope of_errors(bits_of_limb);
  const LineErrors errors = errors_on_line<n>(r, step, sizes, radius_of_f);
  if (!errors.are_small(radius_of_f)) return std::nullopt;

  FixedTerms result{FixedNumbers(limbs, f.size()), FixedNumbers(limbs, f.size()), 0, {}, {}, {}};
  std::vector<Term<n>> weights;
  weights.reserve(f.size());
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  SumOfRadii radii;
  long j = points.first;
  for (std::size_t i = 0; i < f.size(); ++i, ++j) {
    check_work_limit_in_turn(i, f.size(), seconds_of_point);
    const std::optional<PrincipalLogarithm<n>> log =
        principal_logarithm(tables, f[i], sizes.of_log);
    if (!log) return std::nullopt;
    weights.push_back(powers.weight(j, *log));
    most = std::max(most, weights.back().exponent);
    radii.add(f[i], weights.back().exponent);
    const std::optional<Term<n>> base = powers.base(*log);
    if (!base) return std::nullopt;
    put_base(result.bases, i, *base);
  }
  // at most 0.37 2^e each: 2^exponent is at least the sum of all
  const Ball scales = sum_of_scales(weights, most);
  result.exponent = most - 1 + arf_abs_bound_lt_2exp_si(arb_midref(scales.raw()));
  put_weights(result.weights, weights, result.exponent);
  const Ball cut = PLAUDIT_BOUND("fixed_terms.cut", ldexp(FixedNumbers::unit(limbs), 1), Ball(0));
  const Ball sum_of_sizes = ldexp(scales, most - result.exponent);
  result.size_of_weights = (Ball(0.37) * sum_of_sizes).upper();
  result.error_of_weights =
      (sum_of_sizes * errors.of_weight +
       PLAUDIT_BOUND("fixed_terms.radii", errors.by_radius * radii.in_units(result.exponent),
                     Ball(0)) +
       Ball(std::uint64_t{f.size()}) * cut)
          .upper();
  result.error_of_bases = (ldexp(errors.of_base, 3) + cut).upper();
  return result;
}

}  // namespace

}  // namespace fixed

// Proof: docs/proofs/fixed_exponentials.md#terms
std::optional<FixedTerms> fixed_terms(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                      const Ball& r, const Ball& step, long bits) {
  if (f.empty() || !certainly_positive(step)) return std::nullopt;
  const std::optional<Ball> radius = fixed::greatest_relative_radius(f);
  if (!radius) return std::nullopt;
  const fixed::Sizes sizes{fixed::bits_of_size(r), fixed::bits_of_size(step),
                           fixed::bits_of_logarithms(f), fixed::bits_of_squares(points, f.size())};
  if (!sizes.fit(points, f.size())) return std::nullopt;
  const long needed = bits + sizes.lost_bits();
  const auto limbs = [&](int most) {
    return static_cast<int>(std::clamp<long>(
        (bits + FixedNumbers::whole_bits + fixed::bits_of_limb - 1) / fixed::bits_of_limb, 1,
        most));
  };
  if (needed <= fixed::Tables<2>::width) {
    return fixed::terms<2>(f, points, r, step, sizes, *radius, limbs(2));
  }
  if (needed <= fixed::Tables<3>::width) {
    return fixed::terms<3>(f, points, r, step, sizes, *radius, limbs(3));
  }
  return std::nullopt;
}

}  // namespace plaudit
