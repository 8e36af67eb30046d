#include "verification/calibration/rough_threshold.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <tuple>

namespace plaudit {

namespace {

constexpr double first_stride = 1.4;  ///< of log v
constexpr int most_strides = 12;
constexpr std::uintmax_t most_calls = 12;
constexpr double close_enough = 1e-4;  ///< of log v: the error of the saddle point is greater
constexpr double step_of_slope = 0.02;

}  // namespace

std::optional<RoughThreshold> rough_threshold(const std::function<double(double)>& excess,
                                              double start, double least, double greatest,
                                              bool falls) {
  const double sign = falls ? -1 : 1;
  const auto rising = [&](double log_value) { return sign * excess(log_value); };
  double low = std::clamp(start, least, greatest);
  double high = low;
  double below = rising(low);
  double above = below;
  double stride = first_stride;
  for (int i = 0; i < most_strides && below > 0 && low > least; ++i, stride *= first_stride) {
    high = low;
    above = below;
    low = std::max(least, low - stride);
    below = rising(low);
  }
  for (int i = 0; i < most_strides && above <= 0 && high < greatest; ++i, stride *= first_stride) {
    low = high;
    below = above;
    high = std::min(greatest, high + stride);
    above = rising(high);
  }
  if (std::isnan(below) || std::isnan(above)) return std::nullopt;
  if (below > 0) return RoughThreshold{low, 0};
  if (above <= 0) return RoughThreshold{high, 0};
  if (below < 0 && above > 0 && std::isfinite(below) && std::isfinite(above)) {
    std::uintmax_t calls = most_calls;
    const auto close = [](double a, double b) { return b - a < close_enough; };
    const auto finite = [&](double x) {
      const double y = rising(x);
      return std::isnan(y) ? below : y;
    };
    std::tie(low, high) =
        boost::math::tools::toms748_solve(finite, low, high, below, above, close, calls);
  }
  const double root = (low + high) / 2;
  const double slope = (excess(root + step_of_slope) - excess(root)) / step_of_slope;
  return RoughThreshold{root, std::isfinite(slope) ? slope : 0};
}

}  // namespace plaudit
