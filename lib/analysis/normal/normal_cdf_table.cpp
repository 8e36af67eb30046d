#include "lib/analysis/normal/normal_cdf_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm remainder_term{"normal.taylor", "docs/proofs/grid.md#normal-taylor"};

constexpr double anchors_per_unit = 64;        ///< anchors: the centres of the short series
constexpr double reach_of_anchor = 1.0 / 127;  ///< > 1/128, half the distance of two anchors
constexpr double farthest_anchor = 100;        ///< beyond it erfc is called
constexpr double wide_reach = 0.51;            ///< of series about integers, > 1/2
constexpr double farthest_integer = 12;        ///< beyond it no series about integers is made

/// More bits for a series about an integer: the density at its ends is so many bits below the one
/// at the centre, and terms cancel as much. Too few make the ball wider, never wrong.
long bits_of_reach(double centre) {
  return precision_bits(2 * wide_reach * (std::fabs(centre) + 1) / log_two) + 4;
}

}  // namespace

Ball NormalCdfTable::at(const Ball& y) {
  const double near = y.estimate();
  if (!y.is_finite() || std::fabs(near) > farthest_anchor) return normal_cdf(y);
  const double anchor = std::round(near * anchors_per_unit) / anchors_per_unit;
  if (near_.bits != working_precision() || near_.centre != anchor) {
    // A series costs as much as several values: it is made for the second point in a row near it.
    if (asked_ != anchor) {
      asked_ = anchor;
      return by_wide_series(y);
    }
    const long bits = wanted_bits_ > 0 ? wanted_bits_ : working_precision();
    near_ = series(anchor, reach_of_anchor, bits, by_wide_series(Ball(anchor)));
    near_.bits = working_precision();
  }
  return sum_at(near_, y);
}

Ball NormalCdfTable::by_wide_series(const Ball& y) {
  const double anchor = std::round(y.estimate());
  const long bits = working_precision();
  if (std::fabs(anchor) > farthest_integer) return normal_cdf(y);
  if (wide_.bits != bits || wide_.centre != anchor) {
    if (asked_wide_ != anchor) {
      asked_wide_ = anchor;
      return normal_cdf(y);
    }
    const PrecisionScope scope(bits + bits_of_reach(anchor));
    wide_ = series(anchor, wide_reach, working_precision(), normal_cdf(Ball(anchor)));
    wide_.bits = bits;
  }
  const PrecisionScope scope(bits + bits_of_reach(anchor));
  return sum_at(wide_, y);
}

Ball NormalCdfTable::sum_at(const Series& series, const Ball& y) {
  const Ball u = y - Ball(series.centre);
  if (PLAUDIT_BOUND("normal.within_reach", !certainly_less_equal(abs(u), Ball(series.reach)),
                    false)) {
    return normal_cdf(y);
  }
  // Horner's rule in u^8, for sums of products cost less than products.
  constexpr std::size_t width = 8;
  std::vector<Ball> powers(width, Ball(1));
  for (std::size_t i = 1; i < width; ++i) powers[i] = powers[i - 1] * u;
  const Ball step = powers.back() * u;
  const std::size_t count = series.coefficients.size();
  Ball sum;
  for (std::size_t end = (count + width - 1) / width * width; end > 0; end -= width) {
    const std::size_t begin = end - width;
    sum *= step;
    sum += dot(&series.coefficients[begin], powers.data(), std::min(width, count - begin));
  }
  sum *= u;
  sum += series.value;
  return widened(sum, series.remainder);
}

// Proof: docs/proofs/grid.md#normal-taylor
NormalCdfTable::Series NormalCdfTable::series(double centre, double reach, long bits, Ball value) {
  const Ball a(centre);
  // Heuristic: the least K, over radii r, with e^{|a| r + r^2 / 2} (reach / r)^K < 2^-bits.
  const double size = std::fabs(centre);
  double radius = 1;
  double terms = 1e9;
  for (double r = std::max(0.25, 2 * reach); r < 40; r *= 1.2) {
    const double needed =
        (static_cast<double>(bits) * log_two + size * r + r * r / 2) / std::log(r / reach);
    if (needed < terms) {
      terms = needed;
      radius = r;
    }
  }
  const long count = checked_integer(std::ceil(terms), "the number of terms") + 1;
  Series result;
  result.centre = centre;
  result.reach = reach;
  result.value = std::move(value);
  // e^{-a z - z^2 / 2} = sum g_k z^k:  (k + 1) g_{k+1} = -a g_k - g_{k-1}
  const Ball density = normal_density(a);
  Ball before(0);
  Ball g = density;
  for (long k = 0; k < count; ++k) {
    const auto next_degree = static_cast<std::uint64_t>(k + 1);
    result.coefficients.push_back(g);
    result.coefficients.back().divide_by(next_degree);
    Ball next = -a * g - before;
    next.divide_by(next_degree);
    before = std::move(g);
    g = std::move(next);
  }
  const Ball r(radius);
  const Ball ratio = Ball(reach) / r;
  result.remainder = charged(
      remainder_term, density *
                          PLAUDIT_BOUND("normal.growth_on_circle",
                                        exp(abs(a) * r + ldexp(square(r), -1)), Ball(0x1p-40)) *
                          Ball(reach) * power(ratio, static_cast<std::uint64_t>(count)) /
                          (Ball(count + 1) * (Ball(1) - ratio)));
  return result;
}

}  // namespace plaudit
