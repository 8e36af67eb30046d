// The grid of a ring of bins: how fine it is and how far it reaches. It chooses, and proves
// nothing.
#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "mechanisms/participation/ring_filter.hpp"
#include "mechanisms/participation/two_state_filter.hpp"

namespace plaudit {

namespace {

constexpr double most_ring_products = 2.5e8;  ///< of doubles, about: the cells follow
constexpr double most_bin_products = 2e6;     ///< of rationals, for the products of bins
constexpr double finest_cell = 0.25;          ///< of a normal, in deviations
constexpr double coarsest_cell = 0.75;        ///< above which bounds of moments are as good
constexpr double cell_step = 1.05;            ///< from a width to the next one that is tried
constexpr double log_told = 8.5;              ///< deviations of the noise that log t may move
/// Each bin splits t onto places once and each y onto the ends of its cell: of the deviation that
/// a cell adds to log t, the mesh may add so much over all bins.
constexpr double mesh_to_cell = 0.7;
constexpr double finest_ring_mesh = 1.0 / 1024;
constexpr double coarsest_ring_mesh = 1.0 / 8;

Rational dyadic(double x) {
  return Rational(checked_integer(std::ceil(x * 4096), "a mesh")) / 4096;
}

}  // namespace

std::optional<RingGrid> ring_grid(const RandomParticipation& scheme) {
  if (scheme.rate || scheme.period < 3) return std::nullopt;
  const auto products = static_cast<double>(scheme.steps * scheme.bands() * scheme.bands());
  if (scheme.bands() > 2 && products > most_bin_products) return std::nullopt;
  const auto bins = static_cast<double>(scheme.period);
  const double square = estimate(greatest_square(scheme));
  const double deviation = std::sqrt(square);
  const double reach = square / 2 + log_told * deviation + 1;
  const bool closed = scheme.bands() > 2 || (scheme.bands() > 1 && scheme.steps > scheme.period);
  for (double cell = finest_cell; cell <= coarsest_cell; cell *= cell_step) {
    const double mesh = std::clamp(mesh_to_cell * cell * deviation / std::sqrt(bins),
                                   finest_ring_mesh, coarsest_ring_mesh);
    // each y moves the terms of two bins: y_0 is only one of them, so its cells may be wider
    const double closing = std::min(cell * std::sqrt(bins), coarsest_cell);
    const double ends = (2 * log_told + deviation) / cell + 1;
    const double turns = closed ? (2 * log_told + deviation) / closing + 1 : 1;
    const double places = 2 * reach / mesh;
    if (turns * bins * ends * ends * places > most_ring_products) continue;
    const Rational exact = dyadic(mesh);
    const long last = checked_integer(std::ceil(reach / estimate(exact)), "places");
    if (exact * last > greatest_log_ratio) return std::nullopt;
    return RingGrid{exact, last, dyadic(cell), dyadic(closing)};
  }
  return std::nullopt;
}

}  // namespace plaudit
