#include "mechanisms/participation/curve_from_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr int centres = 48;  ///< r on either side of 1, so many: more lose less between them
constexpr double nearest_centre =
    0.1;  ///< their distances from 1 begin with this many deviations of W,
constexpr double centre_growth = 1.17;  ///< and grow by this factor

/// Proof: docs/proofs/random_participation.md#polynomials
/// sup over v > t of (v - t) / v^order = (order - 1)^(order - 1) / order^order / t^(order - 1).
Ball chebyshev_factor(const Ball& t, unsigned order) {
  const Ball before(static_cast<long>(order) - 1);
  const Ball n(static_cast<long>(order));
  Ball least = power(before / (n * t), order - 1) / n;
  return PLAUDIT_BOUND("curve_from_moments.chebyshev_factor", least,
                       least * Ball(Rational(999, 1000)));
}

}  // namespace

CurveFromMoments::CurveFromMoments(const std::vector<Ball>& moments) {
  if (moments.size() < 3) return;  // nothing is known but E W = 1
  const double variance = std::max(moments[2].estimate() - 1, 1e-300);
  std::vector<Ball> places{Ball(0), Ball(1)};
  double distance = nearest_centre * std::sqrt(variance);
  for (int i = 0; i < centres; ++i, distance *= centre_growth) {
    places.emplace_back(1 + distance);
    places.emplace_back(1 - distance);
  }
  for (const Ball& r : places) {
    for (unsigned order = 2; order < moments.size(); order += 2) {
      Ball plain;
      Ball shifted;
      Ball coefficient(1);  // of W^j: binomial (-r)^(order - j), from j = order down
      for (unsigned j = order;; --j) {
        plain += coefficient * moments[j];
        if (order + 1 < moments.size()) shifted += coefficient * moments[j + 1];
        if (j == 0) break;
        coefficient =
            coefficient * -r * Ball(static_cast<long>(j)) / Ball(static_cast<long>(order - j + 1));
      }
      const auto add = [&](const Ball& mean, bool times_w) {
        if (!certainly_positive(mean)) return;
        powers_.push_back({r, order, times_w, mean, r.estimate(), mean.estimate_log()});
      };
      add(plain, false);
      if (order + 1 < moments.size()) add(shifted, true);
    }
  }
}

// The least bound in doubles is then evaluated in balls.
CurveFromMoments::Bound CurveFromMoments::best(const Ball& x, bool above) const {
  const double at = x.estimate();
  const Power* least = nullptr;
  double least_log = std::numeric_limits<double>::infinity();
  for (const Power& each : powers_) {
    const double t = above ? at - each.place : each.place - at;
    if (!(t > 0) || (each.times_w && !above)) continue;
    const double order = each.order;
    const double log_bound = each.log_mean + (order - 1) * std::log((order - 1) / (order * t)) -
                             std::log(order) - (each.times_w ? std::log(at) : 0);
    if (log_bound < least_log) {
      least_log = log_bound;
      least = &each;
    }
  }
  if (least == nullptr) return {positive_infinity(), {}};
  const Ball t = above ? x - least->r : least->r - x;
  if (!certainly_positive(t)) return {positive_infinity(), {}};
  const Ball bound = chebyshev_factor(t, least->order) * least->mean;
  return {(least->times_w ? bound / x : bound).upper(), {exact_rational(least->r), least->order}};
}

CurveFromMoments::Bound CurveFromMoments::above(const Ball& x) const { return best(x, true); }

CurveFromMoments::Bound CurveFromMoments::below(const Ball& x) const {
  Bound bound = best(x, false);
  bound.value = min(bound.value, x.upper());
  return bound;
}

}  // namespace plaudit
