// Bent paths with boxes, arcs that decay on them, and what is true there by sums over points.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "mechanisms/bent/bent_boxes.hpp"
#include "support/bent.hpp"

namespace plaudit::test {

inline bool may_lie_below(const Ball& value, const Ball& bound) {
  return certainly_less_equal(value.lower(), bound.upper());
}

/// A path with boxes whose ends are as near as they may be, now and then.
struct Laid {
  BentPath path;
  double shift, left, right;
  BentBoxes boxes;
};

inline std::optional<Laid> lay(Random& random, double growth) {
  for (int i = 0; i < 60; ++i) {
    const auto path = random_bent_path(random);
    if (!path) return std::nullopt;
    const double nu = path->shape().half_width;
    const double shift = random.one_in(3) ? 0 : random.sign() * nu;
    const MixtureInV in_v(path->mixture());
    const double peak = -in_v.origin.estimate() / in_v.sigma.estimate();
    const double right = std::max(peak, path->dominance()) + std::exp(random.uniform(-2, 3));
    const double left = std::min(peak, -1.5) - std::exp(random.uniform(-2, 2.5));
    try {
      return Laid{*path, shift, left, right, BentBoxes(*path, shift, left, right, growth)};
    } catch (const std::domain_error&) {
    }
  }
  return std::nullopt;
}

/// An arc that decays at both ends of the path, as well as can be told; short ones and single
/// points, where the bounds are sharp, in most cases.
struct Arc {
  Hyperbola hyperbola;
  double from, to;
};

inline Arc random_arc(Random& random, const BentPath& path, double coefficient) {
  const BentShape& shape = path.shape();
  double angle = std::min({std::atan(shape.slope), shape.rise, 1.4}) * random.uniform(0.2, 0.99);
  if (random.one_in(8)) angle = random.uniform(0.05, 1.4);
  double scale = std::exp(random.uniform(-4, 3));
  double from = random.one_in(3) ? 0 : random.uniform(0, 3);
  double to = from + std::exp(random.uniform(-9, -4));
  if (random.one_in(3)) to = from + std::exp(random.uniform(-4, 1));
  if (random.one_in(4)) {  // a wide range of coefficients, the greatest at the crossing
    scale = std::fabs(coefficient) / std::sin(angle) * random.uniform(0.3, 1);
    from = 0;
    to = random.uniform(0.3, 2);
  }
  // the coefficient at the start as wanted
  const double center = coefficient - scale * std::sin(angle) * std::exp(-from);
  return {Hyperbola(Ball(center), Ball(scale), Ball(angle)), from, to};
}

/// Where w l is nearly i pi at the right end: |e^{w l} - 1| is nearly 2 there.
inline Arc opposite_arc(Random& random, const Laid& laid) {
  const BentPoint at(laid.path, MixtureInV(laid.path.mixture()), Ball(laid.right), laid.shift);
  const double turned = std::atan2(at.l.imaginary().estimate(), at.l.real().estimate());
  const double angle =
      std::min(std::atan(laid.path.shape().slope), turned) * random.uniform(0.93, 0.999);
  const double growth = std::numbers::pi * random.uniform(0.8, 1.2) / at.l.real().estimate();
  const double from = random.uniform(0.5, 2), scale = growth / std::sinh(from) / std::cos(angle);
  return {Hyperbola(Ball(-scale * std::sin(angle) * std::exp(-from)), Ball(scale), Ball(angle)),
          from, from + 1e-6};
}

inline std::string describe(const Laid& laid) {
  const BentShape& s = laid.path.shape();
  char text[400];
  std::snprintf(text, sizeof text,
                " rise %.17g slope %.17g bend %.17g knee %.17g, shift %.17g, %.17g to %.17g",
                s.rise, s.slope, s.bend, s.knee, laid.shift, laid.left, laid.right);
  return spec_of(laid.path.mixture()) + text;
}

/// step * sum over the points from + (k + offset) step < to of the sizes of e^{w l} and e^{w l} -
/// 1; a negative step goes down from `from`.
inline BentBound sums(const Laid& laid, const ComplexBall& w, double from, double to, double step,
                      double offset = 0) {
  const MixtureInV in_v(laid.path.mixture());
  BentBound result{Ball(0), Ball(0)};
  for (double k = offset; std::fabs(k * step) < std::fabs(to - from); ++k) {
    const BentPoint at(laid.path, in_v, Ball(from) + Ball(k) * Ball(step), laid.shift);
    result.plain += at.density * plain_size(w, at);
    result.minus_one += at.density * minus_one_size(w, at);
  }
  result.plain *= Ball(std::fabs(step));
  result.minus_one *= Ball(std::fabs(step));
  return result;
}

/// How far the integrand reaches beyond x = 0, in units of x.
inline double reach(const Laid& laid) {
  return 9 / MixtureInV(laid.path.mixture()).sigma.estimate();
}

}  // namespace plaudit::test
