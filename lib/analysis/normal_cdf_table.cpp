#include "lib/analysis/normal_cdf_table.hpp"

#include <cmath>

#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm remainder_term{"normal.taylor", "docs/proofs/grid.md#normal-taylor"};

constexpr long anchors_per_unit = 64;
constexpr double reach = 1.0 / 127;  ///< > 1/128, half the distance of two anchors
constexpr double farthest_anchor = 100;

}  // namespace

Ball NormalCdfTable::at(const Ball& y) {
  const double near = y.estimate();
  if (!y.is_finite() || std::fabs(near) > farthest_anchor) return normal_cdf(y);
  const long anchor = checked_integer(std::round(near * anchors_per_unit), "an anchor");
  if (empty_ || anchor != anchor_ || bits_ != working_precision()) {
    // A series costs as much as several values: it is made at the second point that it serves.
    if (asked_ != anchor) {
      asked_ = anchor;
      return normal_cdf(y);
    }
    expand(anchor);
  }
  const Ball u = y - Ball(static_cast<double>(anchor) / anchors_per_unit);
  if (PLAUDIT_BOUND("normal.within_reach", !certainly_less_equal(abs(u), Ball(reach)), false))
    return normal_cdf(y);
  Ball sum = coefficients_.back();
  for (std::size_t k = coefficients_.size() - 1; k-- > 0;) {
    sum *= u;
    sum += coefficients_[k];
  }
  sum *= u;
  sum += value_;
  return widened(sum, remainder_);
}

void NormalCdfTable::expand(long anchor) {
  empty_ = false;
  anchor_ = anchor;
  bits_ = working_precision();
  const Ball a = Ball(static_cast<double>(anchor) / anchors_per_unit);
  // Heuristic: the least K, over radii r, with e^{|a| r + r^2 / 2} (reach / r)^K < 2^-bits.
  const double size = std::fabs(static_cast<double>(anchor)) / anchors_per_unit;
  const auto series_bits = static_cast<double>(wanted_bits_ > 0 ? wanted_bits_ : bits_);
  double radius = 1;
  double terms = 1e9;
  for (double r = 0.25; r < 40; r *= 1.2) {
    const double needed = (series_bits * log_two + size * r + r * r / 2) / std::log(r / reach);
    if (needed < terms) {
      terms = needed;
      radius = r;
    }
  }
  const long count = checked_integer(std::ceil(terms), "the number of terms") + 1;
  // e^{-a z - z^2 / 2} = sum g_k z^k:  (k + 1) g_{k+1} = -a g_k - g_{k-1}
  const Ball density = normal_density(a);
  coefficients_.clear();
  Ball before(0);
  Ball g(1);
  for (long k = 0; k < count; ++k) {
    coefficients_.push_back(density * g / Ball(k + 1));
    Ball next = (-a * g - before) / Ball(k + 1);
    before = std::move(g);
    g = std::move(next);
  }
  value_ = normal_cdf(a);
  const Ball r(radius);
  const Ball ratio = Ball(reach) / r;
  remainder_ = charged(remainder_term,
                       density *
                           PLAUDIT_BOUND("normal.growth_on_circle",
                                         exp(abs(a) * r + ldexp(square(r), -1)), Ball(0x1p-40)) *
                           Ball(reach) * power(ratio, static_cast<std::uint64_t>(count)) /
                           (Ball(count + 1) * (Ball(1) - ratio)));
}

}  // namespace plaudit
