// A hyperbola w(x) = center + scale sin(angle + i x) in doubles, and its arcs as norms on a path
// take them (lib/analysis/exponential_norms.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "lib/analysis/exponential_norms.hpp"

namespace plaudit {

inline DoubleRange range_between(double a, double b) { return {std::min(a, b), std::max(a, b)}; }

struct HyperbolaCurve {
  double center, scale, angle;
  double sine = std::sin(angle), cosine = std::cos(angle);

  std::complex<double> at(double x) const {
    return {center + scale * sine * std::cosh(x), scale * cosine * std::sinh(x)};
  }
  double crossing() const { return center + scale * sine; }
  double level(double x) const { return center + scale * sine * std::exp(-x); }
  DoubleArc arc(double x1, double x2) const {
    return {range_between(level(x1), level(x2)),
            {scale * std::sinh(x1), scale * std::sinh(x2)},
            {sine, sine},
            {cosine, cosine},
            std::fabs(center) + scale * std::cosh(x2)};
  }
};

}  // namespace plaudit
