// The choice of a lower form, in floating point: a pattern search over its three orders and its
// width, all from fixed grids so that neighbouring queries share moments.
#include <algorithm>
#include <array>
#include <cmath>

#include "accountants/moments/moment_bounds.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr double nothing = -infinity;
constexpr int per_octave = 16;
constexpr int origin = 20 * per_octave;        ///< index of the order 1; index 1 is about 2^-20
constexpr int most_order = 1000 * per_octave;  ///< greatest index
constexpr int ratio_points = 24;               ///< of (0, w), at which alpha is estimated
constexpr int spread_starts = 8;               ///< orders from twice the saddle point down
constexpr double reaches_tried[] = {1.1, 1.5, 2.5, 4.0};  ///< in deviations
constexpr double curvatures_tried[] = {0.5, 2.0};         ///< k m
constexpr double window_to_spare = 1.5;  ///< times the least width w that the parabola allows
// Then every coordinate moves by steps that are halved; in grid points of the orders.
constexpr int first_move = 16;
constexpr int most_rounds = 12;  ///< with one step

/// The signed grid of orders: index 0 is 0, +-i is +-2^((i - origin) / per_octave).
double order_of(int index) {
  if (index == 0) return 0;
  const double size = std::exp2(static_cast<double>(std::abs(index) - origin) / per_octave);
  return index > 0 ? size : -size;
}

int index_of(double t) {
  return static_cast<int>(
      clamped_integer(std::round(std::log2(t) * per_octave) + origin, 1, most_order));
}

struct Shape {
  double a;
  double log_alpha;
};

/// A and the least ratio g/b over some points of (0, w), by products instead of exponentials.
Shape estimate_shape(const LowerForm& form) {
  const double k1 = form.t2 - form.t1;
  const double k2 = form.t1 - form.t0;
  const double rise = std::expm1(k1 * form.w);
  const double fall = -std::expm1(-k2 * form.w);
  const double a = std::isinf(rise) ? 0 : fall / (rise + fall);
  const double b = 1 - a;
  const double slope = b * k2 - a * k1;
  double least = slope > 0 ? 1 / slope : infinity;
  const double h = form.w / ratio_points;
  const double up = std::exp(k1 * h);
  const double down = std::exp(-k2 * h);
  const double tilt = std::exp(-form.t1 * h);
  const double decay = std::exp(-h);
  double x_up = 1;
  double x_down = 1;
  double x_tilt = 1;
  double x_decay = 1;
  for (int i = 1; i < ratio_points; ++i) {
    x_up *= up;
    x_down *= down;
    x_tilt *= tilt;
    x_decay *= decay;
    const double height = 1 - a * x_up - b * x_down;
    if (height > 0) least = std::min(least, x_tilt * (1 - x_decay) / height);
  }
  return {a, std::log(least)};
}

struct Candidate {
  std::array<int, 4> index;  ///< t0, t1, t2, w
  LowerForm form() const {
    return {order_of(index[0]), order_of(index[1]), order_of(index[2]), order_of(index[3])};
  }
  bool valid() const {
    return index[0] < index[1] && index[1] > 0 && index[1] < index[2] && index[3] > 0;
  }
};

}  // namespace

double estimate_log_lower(MomentTable& moments, const LowerForm& form, double epsilon) {
  const Shape shape = estimate_shape(form);
  const double k0 = moments.estimate(form.t0).value - form.t0 * epsilon;
  const double k1 = moments.estimate(form.t1).value - form.t1 * epsilon;
  const double k2 = moments.estimate(form.t2).value - form.t2 * epsilon;
  const double rest = 1 - shape.a * std::exp(k2 - k1) - (1 - shape.a) * std::exp(k0 - k1);
  if (!(rest > 0) || !std::isfinite(k1) || !std::isfinite(shape.log_alpha)) return nothing;
  return shape.log_alpha + k1 + std::log(rest);
}

LowerForm choose_lower_form(MomentTable& moments, double epsilon) {
  const double saddle = chernoff_order_at_epsilon(moments.estimates(), epsilon);
  double best_value = nothing;
  Candidate best{};
  const auto consider = [&](const Candidate& candidate) {
    if (!candidate.valid()) return false;
    const double value = estimate_log_lower(moments, candidate.form(), epsilon);
    if (!(value > best_value)) return false;
    best_value = value;
    best = candidate;
    return true;
  };
  // Starts: the tilted mean of L reach standard deviations beyond eps, the window as far again.
  const CumulantEstimate at = moments.estimate(rounded_order(saddle, per_octave));
  const double deviation = std::sqrt(at.variance);
  for (const double reach : reaches_tried) {
    const double w = 2 * reach * deviation;
    const double t1 = saddle + (epsilon + w / 2 - at.mean) / at.variance;
    if (!(t1 > 0) || !std::isfinite(t1) || !(w > 0)) continue;
    const int middle = index_of(t1);
    for (const double curvature : curvatures_tried) {  // k m of the cosh form, m = w / 2
      const double k = curvature * 2 / w;
      const int down = t1 > k ? index_of(t1 - k) : 0;
      consider({{std::min(down, middle - 1), middle, std::max(index_of(t1 + k), middle + 1),
                 index_of(w)}});
    }
  }
  // Where the tilted law is far from Gaussian: orders spread below, each with the least window
  // that the parabola (docs/proofs/moments_lower.md#concave) allows, and a little more.
  for (int i = 0; i < spread_starts; ++i) {
    const int middle = index_of(saddle * std::exp2(1 - i));
    const CumulantEstimate here = moments.estimate(order_of(middle));
    const double ahead = here.mean - epsilon;
    if (!(ahead > 0)) break;
    const double w = window_to_spare * (here.variance + ahead * ahead) / ahead;
    consider({{middle - 1, middle, middle + 1, index_of(w)}});
  }
  if (best_value == nothing) return {0, 1, 2, 0};
  for (int step = first_move; step >= 1; step /= 2) {
    bool improved = true;
    for (int round = 0; improved && round < most_rounds; ++round) {
      improved = false;
      for (std::size_t coordinate = 0; coordinate < 4; ++coordinate) {
        for (const int sign : {-1, 1}) {
          Candidate moved = best;
          moved.index[coordinate] += sign * step;
          if (consider(moved)) improved = true;
        }
      }
    }
  }
  return best.form();
}

}  // namespace plaudit
