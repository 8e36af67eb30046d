#include "mechanisms/cells/cell_integrals.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/averaged_polynomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/cells/density_series.hpp"

namespace plaudit {

namespace {

constexpr long block_bits = 128;         ///< of the polynomials of blocks, at least
constexpr long shortest_reach = 4;       ///< cells on each side of a block's centre, at least
constexpr long longest_reach = 1 << 20;  ///< .. and at most: places in a block are exact doubles
constexpr long few_cells = 64;           ///< at a time from tails, where blocks are too short
constexpr long tail_bits = 96;           ///< of these tails, at least
constexpr double widest_block = 1;       ///< greatest radius; the others are this times 2^-k
constexpr double widest_mesh = 0.125;
constexpr std::size_t least_moments = 20;  ///< mu_j that are made at first; more where needed
constexpr std::size_t spare_moments = 6;
constexpr std::size_t gain_terms = 24;    ///< M of the series of 1 - e^{-s}
constexpr long largest_index = 1L << 28;  ///< of a cell: its ends are exact doubles

bool is_gain(CellWeight weight) {
  return weight == CellWeight::gain_low || weight == CellWeight::gain_high;
}

/// The ends of a weight's part of the cell, in cells.
std::pair<double, double> part_of(CellWeight weight) {
  switch (weight) {
    case CellWeight::low:
    case CellWeight::gain_low:
      return {0, 0.5};
    case CellWeight::high:
    case CellWeight::gain_high:
      return {0.5, 1};
    default:
      return {0, 1};
  }
}

/// mu_j = integral of (s / r)^j w(s) over the cell, j < count, r = radius, eta = h / r.
/// 1 - e^{-s} = sum_{m=1}^{M} (-1)^{m+1} s^m / m! up to s^{M+1} / (M+1)!, as s <= 1.
// Proof: docs/proofs/blocks.md#cells
std::vector<Ball> moments(CellWeight weight, double radius, double eta, std::size_t count) {
  const auto [left, right] = part_of(weight);
  const std::size_t powers = count + (is_gain(weight) ? gain_terms + 1 : 0);
  std::vector<Ball> plain;  // integrals of (s / r)^j ds
  Ball low = Ball(eta) * Ball(left);
  Ball high = Ball(eta) * Ball(right);
  const Ball first_low = low;
  const Ball first_high = high;
  for (std::size_t j = 0; j < powers; ++j) {
    plain.push_back(Ball(radius) * (high - low) / Ball(static_cast<long>(j + 1)));
    low *= first_low;
    high *= first_high;
  }
  if (!is_gain(weight)) return plain;
  std::vector<Ball> factors;  // (-1)^{m+1} r^m / m!, m = 1, ..., M + 1
  Ball scale(-1);
  for (std::size_t m = 1; m <= gain_terms + 1; ++m) {
    scale *= Ball(-radius) / Ball(static_cast<long>(m));
    factors.push_back(scale);
  }
  std::vector<Ball> result(count);
  for (std::size_t j = 0; j < count; ++j) {
    result[j] = widened(dot(factors.data(), &plain[j + 1], gain_terms),
                        abs(factors[gain_terms]) * plain[j + gain_terms + 1]);
  }
  return result;
}

/// From the coefficients of the density to those of the integrals over cells, for one weight.
class WeightMap {
 public:
  WeightMap(CellWeight weight, double radius, double eta)
      : weight_(weight), radius_(radius), eta_(eta) {
    grow(least_moments);
  }

  const Ball& mass() const { return mass_; }
  DoublePolynomial operator()(const NearDoubles& density) {
    if (density.values.size() > averages_->size()) grow(density.values.size() + spare_moments);
    return (*averages_)(density);
  }

 private:
  /// Makes it serve for so many coefficients.
  void grow(std::size_t count) {
    const std::vector<Ball> all = moments(weight_, radius_, eta_, count);
    mass_ = all[0];
    averages_.emplace(all);
  }

  CellWeight weight_;
  double radius_;
  double eta_;
  Ball mass_;
  std::optional<Averages> averages_;
};

/// Fills the integrals from the lowest cell upward, block by block.
class CellFiller {
 public:
  /// @param bits of tails in balls, at least.
  CellFiller(const PrivacyLoss& loss, Direction direction, const CellRange& range,
             const std::vector<CellWeight>& weights, long bits)
      : loss_(loss),
        range_(range),
        weights_(weights),
        wanted_bits_(bits),
        series_(*loss.facts().gaussian_mixture, direction),
        result_(weights.size()) {
    const auto cells = static_cast<std::size_t>(range.last - range.first);
    check_memory(16 * static_cast<double>(cells * weights.size()));
    for (CellIntegrals& each : result_) {
      each.values.resize(cells);
      each.errors.resize(cells);
    }
  }

  std::vector<CellIntegrals> filled() {
    long next = range_.first;
    int exponent = 0;  // the radius of blocks is 2^exponent
    while (next < range_.last) {
      check_work_limit();
      bool found = false;
      for (exponent = std::min(exponent + 1, 0); reach_of(exponent) >= shortest_reach; --exponent) {
        found = block(next, exponent);
        if (found) break;
      }
      if (!found) {
        const long end = std::min(next + few_cells, range_.last);
        from_tails(next, end);
        next = end;
      }
    }
    return std::move(result_);
  }

 private:
  long reach_of(int exponent) const {
    return clamped_integer(std::floor(std::ldexp(widest_block, exponent) / range_.mesh), 0,
                           longest_reach);
  }
  // binary64 bound: docs/proofs/blocks.md#cells
  double start_of(long cell) const {
    return (static_cast<double>(cell) - (range_.centred ? 0.5 : 0.0)) * range_.mesh;
  }
  std::size_t place(long cell) const { return static_cast<std::size_t>(cell - range_.first); }

  std::vector<WeightMap>& maps(int exponent) {
    const auto index = static_cast<std::size_t>(-exponent);
    while (maps_.size() <= index) maps_.emplace_back();
    if (maps_[index].empty()) {
      const double radius = std::ldexp(widest_block, exponent);
      for (const CellWeight weight : weights_) {
        maps_[index].emplace_back(weight, radius, range_.mesh / radius);
      }
    }
    return maps_[index];
  }

  /// The cells of a block that begins with `next`, which it moves to its end; false where the
  /// density has no polynomial of that radius.
  // Proof: docs/proofs/blocks.md#cells
  bool block(long& next, int exponent) {
    const double radius = std::ldexp(widest_block, exponent);
    const long reach = reach_of(exponent);
    const long middle = next + reach;
    const std::optional<DensityPolynomial> density = series_.about(start_of(middle), radius);
    if (!density) return false;
    const long end = std::min(middle + reach, range_.last);
    const auto count = static_cast<std::size_t>(end - next);
    std::vector<WeightMap>& all = maps(exponent);
    const NearDoubles near(density->coefficients);
    for (std::size_t w = 0; w < weights_.size(); ++w) {
      const DoublePolynomial polynomial = all[w](near);
      const Ball left_out =
          PLAUDIT_BOUND("blocks.cell_remainder", density->remainder * all[w].mass(), Ball(0));
      const double error = (polynomial.error() + left_out).upper_double();
      double* values = &result_[w].values[place(next)];
      polynomial.values_at(-reach, range_.mesh / radius, count, values);
      std::fill_n(&result_[w].errors[place(next)], count, error);
    }
    next = end;
    return true;
  }

  /// The same by differences of tails in balls.
  void from_tails(long first, long end) {
    const PrecisionScope scope(std::max(tail_bits, wanted_bits_));
    std::vector<Ball> points;
    for (long i = first; i < end; ++i) {
      points.emplace_back(start_of(i));
      points.emplace_back(start_of(i) + range_.mesh / 2);
    }
    points.emplace_back(start_of(end));
    const TailMasses tails = loss_.tails_above(points);
    for (long i = first; i < end; ++i) {
      const auto at = static_cast<std::size_t>(2 * (i - first));
      const Ball ratio = exp(points[at]);
      for (std::size_t w = 0; w < weights_.size(); ++w) {
        const auto [left, right] = part_of(weights_[w]);
        const std::size_t from = at + (left > 0 ? 1 : 0);
        const std::size_t to = at + (right < 1 ? 1 : 2);
        Ball mass = tails.p[from] - tails.p[to];
        if (is_gain(weights_[w])) mass -= ratio * (tails.q[from] - tails.q[to]);
        mass = clipped_nonnegative(mass);
        const double value = mass.estimate();
        result_[w].values[place(i)] = value;
        result_[w].errors[place(i)] = abs(mass - Ball(value)).upper_double();
      }
    }
  }

  const PrivacyLoss& loss_;
  CellRange range_;
  std::vector<CellWeight> weights_;
  long wanted_bits_;
  DensitySeries series_;
  std::vector<std::vector<WeightMap>> maps_;  ///< by the exponent of the radius, negated
  std::vector<CellIntegrals> result_;
};

}  // namespace

bool knows_cells(const PrivacyLoss& loss) { return loss.facts().gaussian_mixture != nullptr; }

bool knows_cells(const PrivacyLoss& loss, const CellRange& range) {
  constexpr long furthest = largest_index - 2 * longest_reach;
  return knows_cells(loss) && is_short(range.mesh) && range.mesh > 0 && range.mesh <= widest_mesh &&
         range.first < range.last && range.first > -furthest && range.last < furthest;
}

std::vector<CellIntegrals> cell_integrals(const PrivacyLoss& loss, Direction direction,
                                          const CellRange& range,
                                          const std::vector<CellWeight>& weights) {
  if (!knows_cells(loss, range)) {
    throw std::invalid_argument("cell_integrals: the law, the mesh or the range");
  }
  const long bits = working_precision();
  const PrecisionScope scope(std::max(block_bits, bits));
  return CellFiller(loss, direction, range, weights, bits).filled();
}

}  // namespace plaudit
