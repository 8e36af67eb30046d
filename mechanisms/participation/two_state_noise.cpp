#include "mechanisms/participation/two_state_noise.hpp"

#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr double cells_to_deviation =
    24;                            ///< cells in one deviation for a mean of 1, more for greater
constexpr double least_cells = 6;  ///< and at least so many: fewer make bounds wider
constexpr long accurate_bits =
    40;  ///< of a corner, below which the cell's upper end stands for all of it

}  // namespace

Ball ratio_at(const Ball& mean, const Ball& y) { return exp(mean * y - ldexp(square(mean), -1)); }

/// Draws: (took part in the last row, is free). Bins: (that of the last row, the other one).
TwoStateScheme two_state_scheme(const RandomParticipation& scheme) {
  const Ball a = sqrt(Ball(scheme.ratio));
  TwoStateScheme plane;
  plane.mean_young = a * Ball(scheme.coefficients[0]);
  plane.mean_old = scheme.bands() > 1 ? a * Ball(scheme.coefficients[1]) : Ball(0);
  plane.straight = scheme.bands() == 1 || scheme.coefficients[1] == 0 ||
                   scheme.coefficients[0] == scheme.coefficients[1];
  TwoStateRow& row = plane.later;
  row.old[1][0] = 1;
  row.young[0][1] = scheme.rate ? *scheme.rate : Rational(1);
  if (scheme.rate) row.constant[1][1] = 1 - *scheme.rate;
  plane.first = row;
  plane.begin = {0, 1};
  if (scheme.stationary) plane.begin = {1 - free_share(scheme), free_share(scheme)};
  if (!scheme.rate || scheme.stationary) {  // what was before the first row moves none
    if (!scheme.rate) plane.begin = {Rational(1, 2), Rational(1, 2)};
    plane.first.old[1][0] = 0;
    plane.first.constant[1][0] = 1;
  }
  return plane;
}

std::vector<NoiseCell> noise_cells(const std::vector<Ball>& bounds, const Ball& mean_x,
                                   const Ball& mean_y) {
  // of the smaller tails: no digits are lost
  const auto between = [&](const Ball& mean, std::size_t i) {
    if (i == 0) return normal_cdf(bounds[0] - mean);
    if (i == bounds.size()) return normal_cdf(mean - bounds.back());
    const Ball low = bounds[i - 1] - mean;
    const Ball high = bounds[i] - mean;
    return certainly_positive(low) ? normal_cdf(-low) - normal_cdf(-high)
                                   : normal_cdf(high) - normal_cdf(low);
  };
  std::vector<NoiseCell> result;
  for (std::size_t i = 0; i <= bounds.size(); ++i) {
    result.push_back({between(Ball(0), i), between(mean_x, i), between(mean_y, i)});
  }
  return result;
}

RowNoise::RowNoise(const TwoStateScheme& plane) : plane_(plane) {
  const double greatest = std::max(plane.mean_young.estimate(), plane.mean_old.estimate());
  const double width = 1 / std::max(least_cells, cells_to_deviation * greatest);
  const long count = checked_integer(std::ceil((2 * noise_reach + greatest) / width), "cells");
  const Rational step = Rational(checked_integer(std::ceil(width * 4096), "a width")) / 4096;
  const Rational begin = -Rational(checked_integer(std::ceil(noise_reach / width), "cells")) * step;
  for (long i = 0; i <= count; ++i) bounds_.emplace_back(Rational(begin + step * i));
}

std::vector<NoiseCell> RowNoise::cells() const {
  return noise_cells(bounds_, plane_.mean_old, plane_.mean_young);
}

std::vector<NoiseVertex> RowNoise::vertices(Ball& beyond) const {
  const std::vector<NoiseCell> all = cells();
  std::vector<NoiseVertex> result;
  result.push_back({x_at(0), y_at(0), all.front().q});
  for (std::size_t i = 1; i < bounds_.size(); ++i) add_vertices(i, all[i], result);
  const std::size_t end = bounds_.size() - 1;
  result.push_back({x_at(end), y_at(end), all.back().q});
  beyond = all.back().x + all.back().y;
  return result;
}

Ball RowNoise::x_at(std::size_t i) const { return ratio_at(plane_.mean_old, bounds_[i]); }
Ball RowNoise::y_at(std::size_t i) const { return ratio_at(plane_.mean_young, bounds_[i]); }

// The ends of the cell and where the tangents in them meet.
void RowNoise::add_vertices(std::size_t i, const NoiseCell& cell,
                            std::vector<NoiseVertex>& result) const {
  const StatePair low{x_at(i - 1), y_at(i - 1)};
  const StatePair high{x_at(i), y_at(i)};
  const StatePair mean{cell.x / cell.q, cell.y / cell.q};
  const Ball& a = plane_.mean_old;
  const Ball& b = plane_.mean_young;
  // the derivatives of (X, Y) at both ends, and their determinant
  const StatePair along{a * low[0], b * low[1]};
  const StatePair into{a * high[0], b * high[1]};
  const Ball turn = along[0] * into[1] - along[1] * into[0];
  if (plane_.straight) {
    const Ball share = (mean[1] - low[1]) / (high[1] - low[1]);
    result.push_back({low[0], low[1], cell.q * (Ball(1) - share)});
    result.push_back({high[0], high[1], cell.q * share});
    return;
  }
  if (turn.may_be_zero()) {  // not told from a straight line; but X and Y rise along the cell
    result.push_back({high[0], high[1], cell.q});
    return;
  }
  const Ball far = ((high[0] - low[0]) * into[1] - (high[1] - low[1]) * into[0]) / turn;
  const StatePair corner{low[0] + far * along[0], low[1] + far * along[1]};
  const auto area = [](const StatePair& p, const StatePair& q, const StatePair& r) {
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  };
  if (corner[0].relative_accuracy_bits() < accurate_bits ||
      corner[1].relative_accuracy_bits() < accurate_bits) {
    result.push_back({high[0], high[1], cell.q});
    return;
  }
  const Ball whole = area(low, corner, high);
  const Ball of_low = area(mean, corner, high) / whole;
  const Ball of_high = area(low, corner, mean) / whole;
  result.push_back({low[0], low[1], cell.q * of_low});
  result.push_back({high[0], high[1], cell.q * of_high});
  result.push_back({corner[0], corner[1], cell.q * (Ball(1) - of_low - of_high)});
}

/// The states after a row, of (p, 1 - p) before it.
StatePair after_row(const TwoStateRow& row, const std::array<Rational, 2>& before, const Ball& x,
                    const Ball& y) {
  StatePair after;
  for (std::size_t to = 0; to < 2; ++to) {
    Rational constant = 0;
    Rational old = 0;
    Rational young = 0;
    for (std::size_t from = 0; from < 2; ++from) {
      constant += row.constant[to][from] * before[from];
      old += row.old[to][from] * before[from];
      young += row.young[to][from] * before[from];
    }
    after[to] = Ball(constant) + Ball(old) * x + Ball(young) * y;
  }
  return after;
}

std::array<Rational, 2> share_node(int j) {
  return {Rational(j, share_steps), Rational(share_steps - j, share_steps)};
}

void add_shifted(const std::vector<double>& from, double weight, long shift, bool keeps,
                 std::vector<double>& to) {
  if (!(weight > 0)) return;
  const auto places = static_cast<long>(from.size());
  const long begin = std::clamp(-shift, 0L, places);
  const long end = std::clamp(places - shift, 0L, places);
  const double* source = from.data();
  double* target = to.data();
  for (long k = begin; k < end; ++k) target[k + shift] += weight * source[k];
  if (!keeps) return;
  double below = 0;
  double above = 0;
  for (long k = 0; k < begin; ++k) below += source[k];
  for (long k = end; k < places; ++k) above += source[k];
  to.front() += weight * below;
  to.back() += weight * above;
}

Ball rounding_factor(std::size_t operations) {
  return exp(ldexp(Ball(std::uint64_t{operations}), -52)).upper();
}

}  // namespace plaudit
