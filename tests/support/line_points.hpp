// Random integrands at points of a line, for sums in fixed point: ratios f, powers r + i s.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "lib/analysis/fixed/fixed_squares.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "support/random.hpp"

namespace plaudit::test {

struct LinePoints {
  std::vector<ComplexBall> f;
  FixedPoints points;
  Ball r;
  Ball s;
  bool real;  ///< f > 0, on the axis

  ComplexBall at(std::size_t j) const {
    return {Ball(points.d) * Ball(points.first + static_cast<long>(j)), Ball(points.eta)};
  }
};

/// Exact numbers of many sizes and all angles that are allowed, s > 0.
/// @param one_in so many is on the axis.
inline LinePoints random_line(Random& random, std::size_t size, int one_in) {
  const bool real = random.one_in(one_in);
  LinePoints result{
      {},
      {short_double(std::exp2(random.uniform(-6, 0))),
       real ? 0 : short_double(std::exp2(random.uniform(-6, 3))), random.integer(-200, 100)},
      Ball(random.uniform(-1, 1) * std::exp2(random.uniform(0, 10))),
      Ball(std::exp2(random.uniform(-10, 6))),
      real};
  for (std::size_t j = 0; j < size; ++j) {
    const double log_of_size = random.uniform(-10, 10) * (random.one_in(2) ? 1 : 1e-6);
    const double angle = real ? 0 : random.uniform(0, 3.1);
    result.f.emplace_back(Ball(std::exp(log_of_size) * std::cos(angle)),
                          Ball(std::exp(log_of_size) * std::sin(angle)));
  }
  return result;
}

/// A line of one point with a radius of f, of r or of s, and both of its ends.
struct WideLine {
  LinePoints wide;
  std::array<LinePoints, 2> ends;
};
enum class Wide { f, r, s };
inline WideLine widened_line(Random& random, const LinePoints& middle, Wide which) {
  WideLine result{middle, {middle, middle}};
  const auto widen = [&](Ball LinePoints::*x) {
    const Ball radius = (abs(middle.*x) * Ball(std::exp2(random.uniform(-60, -40)))).lower();
    result.wide.*x = widened(middle.*x, radius);
    result.ends[0].*x = middle.*x - radius;
    result.ends[1].*x = middle.*x + radius;
  };
  if (which == Wide::r) widen(&LinePoints::r);
  if (which == Wide::s) widen(&LinePoints::s);
  if (which == Wide::f) {
    const ComplexBall& f = middle.f[0];
    const Ball radius = (abs(f) * Ball(std::exp2(random.uniform(-60, -40)))).lower();
    const ComplexBall off(radius, middle.real ? Ball(0) : radius);
    result.wide.f[0] = middle.real ? ComplexBall(widened(f.real(), radius)) : widened(f, radius);
    result.ends[0].f[0] = f - off;
    result.ends[1].f[0] = f + off;
  }
  return result;
}

}  // namespace plaudit::test
