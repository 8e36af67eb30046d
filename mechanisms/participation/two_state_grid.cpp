// The grid of the filter of a random participation with two states: how fine it is and how far it
// reaches. It chooses, and proves nothing.
#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "mechanisms/participation/two_state_filter.hpp"
#include "mechanisms/participation/two_state_noise.hpp"

namespace plaudit {

namespace {

constexpr double most_row_products = 4e8;  ///< of doubles, about, of all rows: the mesh follows
constexpr double coarsest_mesh = 0.125;    ///< of log t, above which bounds of moments are as good
constexpr double noise_told = 8.5;  ///< deviations of the noise that log t and a row may move

}  // namespace

std::optional<TwoStateGrid> two_state_grid(const RandomParticipation& scheme) {
  if (scheme.period != 2) return std::nullopt;
  const double square = estimate(greatest_square(scheme));
  const double reach = square / 2 + noise_told * std::sqrt(square) + 1;
  // of the quotient: neither coefficients nor the noise need be numbers that doubles have
  const auto mean = [&](const Rational& coefficient) {
    return std::sqrt(estimate(Rational(scheme.ratio * coefficient * coefficient)));
  };
  const double old = scheme.bands() > 1 ? mean(scheme.coefficients[1]) : 0;
  const double width = 2 * noise_told * std::max(mean(scheme.coefficients[0]), old) + 1;
  // steps are about 3 width / mesh from each share, places 2 reach / mesh
  const double wanted = std::sqrt(6 * reach * width * share_steps *
                                  static_cast<double>(scheme.steps) / most_row_products);
  const double mesh = std::max(wanted, 1.0 / 1024);
  if (mesh > coarsest_mesh) return std::nullopt;
  const Rational exact = Rational(checked_integer(std::ceil(mesh * 4096), "a mesh")) / 4096;
  const long places = checked_integer(std::ceil(reach / estimate(exact)), "places");
  if (exact * places > greatest_log_ratio) return std::nullopt;
  return TwoStateGrid{exact, -places, places};
}

}  // namespace plaudit
