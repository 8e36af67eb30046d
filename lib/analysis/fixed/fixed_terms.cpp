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

/// Puts x 2^-down, x in units of 2^(3-W), into the number i.
template <std::size_t n>
void put(FixedNumbers& to, FixedNumbers::Part part, std::size_t i, const Limbs<n>& x,
         std::int64_t down) {
  const Limbs<n> value = signed_shifted_down(x, std::min<std::int64_t>(down, Tables<n>::width));
  const auto limbs = static_cast<std::size_t>(to.limbs());
  std::uint64_t* const place = to.at(part, i);
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
  /// Bits that errors are above 2^-W: a choice.
  int lost_bits() const {
    constexpr int of_logarithms = 10, of_products = 3, of_base = 3;
    return std::max(of_r, of_step + of_base) + std::max(of_logarithms, of_log + of_products);
  }
};

template <std::size_t n>
std::optional<FixedTerms> terms(const std::vector<ComplexBall>& f, const FixedPoints& points,
                                const Ball& r, const Ball& step, const Sizes& sizes,
                                const Ball& radius_of_f, int limbs) {
  constexpr long width = Tables<n>::width;
  constexpr double seconds_of_point = 2e-7 * n;
  const Tables<n>& tables = Tables<n>::get();
  check_work_limit(seconds_of_point * static_cast<double>(f.size()));
  const int whole_bits = sizes.whole_bits(), whole_bits_of_turn = sizes.whole_bits_of_turn();
  const Squares<n> squares(points, whole_bits);
  if (!squares.is_exact()) return std::nullopt;

  const PrecisionScope of_errors(bits_of_limb);
  // the same for all terms; and the radii of f, for weights each its own
  const auto error_of_term = [&](int of_w, const Ball& radius_of_w, int whole) {
    return Ball(term_by_exponent) * PLAUDIT_BOUND("fixed_terms.radius_of_power",
                                                  ldexp(radius_of_w, sizes.of_log), Ball(0)) +
           PLAUDIT_BOUND("fixed_terms.rounding", rounding_of_term<n>(of_w, sizes.of_log, whole),
                         Ball(0));
  };
  const auto by_radius = [](int of_w) { return ldexp(Ball(1.01 * term_by_exponent), of_w); };
  const Ball of_weight = error_of_term(sizes.of_r, r.radius(), whole_bits);
  const Ball of_base =
      error_of_term(sizes.of_step, step.radius(), whole_bits_of_turn) +
      PLAUDIT_BOUND("fixed_terms.radii_of_bases", by_radius(sizes.of_step) * radius_of_f, Ball(0));
  if (!certainly_less(of_weight + of_base + (by_radius(sizes.of_r) + Ball(1)) * radius_of_f,
                      ldexp(Ball(1), -8))) {
    return std::nullopt;
  }

  FixedTerms result{FixedNumbers(limbs, f.size()), FixedNumbers(limbs, f.size()), 0, {}, {}, {}};
  const Part<n> power(r, width - sizes.of_r), turn(step, width - sizes.of_step);
  constexpr int down = 2;  // of products with the step
  std::vector<Term<n>> weights;
  weights.reserve(f.size());
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  SumOfRadii radii;
  long j = points.first;
  for (std::size_t i = 0; i < f.size(); ++i, ++j) {
    const std::optional<Scaled<n>> number = scaled<n>(f[i]);
    std::optional<Logarithm<n>> log = number ? guess(*number) : std::nullopt;
    // the principal branch, and |u| <= 1
    if (!log || log->imaginary < 0 || log->imaginary > most_angle ||
        !add_rest(tables, *number, *log)) {
      return std::nullopt;
    }
    const Part<n> log_real = in_units(log->real, log->real_rest, sizes.of_log);
    const Part<n> log_imaginary = in_units(log->imaginary, log->imaginary_rest, sizes.of_log);
    auto [real, imaginary] = squares.at(j);
    add_product(real, power, log_real, whole_bits - sizes.of_r - sizes.of_log, false);
    add_product(imaginary, power, log_imaginary, whole_bits - sizes.of_r - sizes.of_log, false);
    weights.push_back(
        exponential(tables, reduce(real, whole_bits, tables.power_step, power_reciprocal),
                    reduce(imaginary, whole_bits, tables.angle_step, angle_reciprocal)));
    most = std::max(most, weights.back().exponent);
    radii.add(f[i], weights.back().exponent);

    Limbs<n> turn_real{}, turn_imaginary{};
    add_product(turn_real, turn, log_imaginary, down, true);
    add_product(turn_imaginary, turn, log_real, down, false);
    const Reduced<n> size =
        reduce(turn_real, whole_bits_of_turn, tables.power_step, power_reciprocal);
    if (size.steps > 0) return std::nullopt;
    const Term<n> base = exponential(
        tables, size,
        reduce(turn_imaginary, whole_bits_of_turn, tables.angle_step, angle_reciprocal));
    constexpr int greatest_exponent = 3;  // of a base, in units of a half of 2^(3-W)
    put(result.bases, FixedNumbers::real_part, i, doubled(base.real, 1),
        greatest_exponent - base.exponent);
    put(result.bases, FixedNumbers::imaginary_part, i, doubled(base.imaginary, 1),
        greatest_exponent - base.exponent);
    result.bases.add_parts(i);
  }
  // at most 0.37 2^e each: 2^exponent is at least the sum of all
  const Ball scales = sum_of_scales(weights, most);
  result.exponent = most - 1 + arf_abs_bound_lt_2exp_si(arb_midref(scales.raw()));
  for (std::size_t i = 0; i < f.size(); ++i) {
    const std::int64_t below = result.exponent + 2 - weights[i].exponent;
    put(result.weights, FixedNumbers::real_part, i, weights[i].real, below);
    put(result.weights, FixedNumbers::imaginary_part, i, weights[i].imaginary, below);
    result.weights.add_parts(i);
  }
  const Ball cut = PLAUDIT_BOUND("fixed_terms.cut", ldexp(FixedNumbers::unit(limbs), 1), Ball(0));
  const Ball sum_of_sizes = ldexp(scales, most - result.exponent);
  result.size_of_weights = (Ball(0.37) * sum_of_sizes).upper();
  result.error_of_weights =
      (sum_of_sizes * of_weight +
       PLAUDIT_BOUND("fixed_terms.radii", by_radius(sizes.of_r) * radii.in_units(result.exponent),
                     Ball(0)) +
       Ball(std::uint64_t{f.size()}) * cut)
          .upper();
  result.error_of_bases = (ldexp(of_base, 3) + cut).upper();
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
