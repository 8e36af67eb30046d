#include "verification/calibration/rough_threshold.hpp"

#include <algorithm>
#include <cmath>

namespace plaudit {

namespace {

constexpr double first_stride = 1;  ///< of log v, doubled
constexpr int most_strides = 12;
constexpr int most_halvings = 8;       ///< of a stride that leads to where nothing is known
constexpr int most_narrowings = 25;    ///< steps of the Illinois method
constexpr double close_enough = 1e-7;  ///< of log v
constexpr double far_apart = 1e-2;     ///< of log v: two points of the slope are as far apart

struct Place {
  double at;
  double value;
};

}  // namespace

std::optional<RoughThreshold> rough_threshold(const std::function<double(double)>& excess,
                                              double start, double least, double greatest,
                                              bool falls) {
  const double sign = falls ? -1 : 1;
  const auto look = [&](double at) { return Place{at, sign * excess(at)}; };
  Place low = look(std::clamp(start, least, greatest));
  if (std::isnan(low.value)) return std::nullopt;
  Place high = low;
  // Strides until the sign changes; where nothing is known, shorter ones.
  const bool down = low.value > 0;
  double stride = first_stride;
  int halvings = 0;
  for (int i = 0; i < most_strides && halvings < most_halvings; ++i) {
    if (down ? !(low.value > 0) || low.at <= least : high.value > 0 || high.at >= greatest) break;
    const Place next =
        look(down ? std::max(least, low.at - stride) : std::min(greatest, high.at + stride));
    if (std::isnan(next.value)) {
      stride /= 2;
      ++halvings;
      continue;
    }
    (down ? high : low) = down ? low : high;
    (down ? low : high) = next;
    if (halvings == 0) stride *= 2;
  }
  if (low.value > 0 || !(high.value > 0)) return RoughThreshold{down ? low.at : high.at, 0};
  // The Illinois method; the slope is that of two points well apart.
  double slope = (high.value - low.value) / (high.at - low.at);
  double root = low.at;
  int side = 0;
  double weight_low = low.value;
  double weight_high = high.value;
  for (int i = 0; i < most_narrowings && high.at - low.at > close_enough; ++i) {
    double middle = (low.at * weight_high - high.at * weight_low) / (weight_high - weight_low);
    if (!(middle > low.at && middle < high.at)) middle = (low.at + high.at) / 2;
    const Place here = look(middle);
    if (std::isnan(here.value)) break;
    const Place& other = here.value > 0 ? low : high;
    if (std::fabs(here.at - other.at) > far_apart || i == 0) {
      slope = (here.value - other.value) / (here.at - other.at);
    }
    root = here.at;
    if (std::fabs(here.value) < close_enough * std::fabs(slope)) break;
    if (here.value > 0) {
      high = here;
      weight_high = here.value;
      if (side > 0) weight_low /= 2;
      side = 1;
    } else {
      low = here;
      weight_low = here.value;
      if (side < 0) weight_high /= 2;
      side = -1;
    }
  }
  if (!std::isfinite(slope)) slope = 0;
  return RoughThreshold{root, sign * slope};
}

}  // namespace plaudit
