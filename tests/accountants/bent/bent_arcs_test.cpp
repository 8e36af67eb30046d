// Bounds on arcs of the hyperbola against values at points of them.
#include "accountants/bent/bent_arcs.hpp"

#include <doctest/doctest.h>

#include "support/bent.hpp"
#include "support/containment.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

bool may_lie_below(const Ball& value, const Ball& bound) {
  return certainly_less_equal(value.lower(), bound.upper());
}

/// |w'| / |w (w - 1)|.
Ball measure(const Hyperbola& hyperbola, const Ball& x) {
  const ComplexBall w = hyperbola.point(x);
  return abs(hyperbola.derivative(x)) / abs(w * (w - ComplexBall(1)));
}

/// Right of both poles, left of them, or anywhere; often far from them for its scale.
Hyperbola random_contour(Random& random) {
  const double scale = std::exp(random.uniform(-3, 2));
  const double angle = random.uniform(0.02, 1.5);
  const double gap = std::exp(random.uniform(-4, 3));
  const double crossing = random.one_in(3)   ? -gap
                          : random.one_in(2) ? 1 + gap
                                             : random.uniform(-2, 3);
  return {Ball(crossing - scale * std::sin(angle)), Ball(scale), Ball(angle)};
}

}  // namespace

TEST_CASE("Gaussian factors on arcs") {
  Random random(61);
  int finite = 0;
  for (int i = 0; i < trials(500); ++i) {
    const PrecisionScope scope(96);
    const Hyperbola hyperbola = random_contour(random);
    const Ball mean(std::exp(random.uniform(-5, 1)));
    const Ball from(random.one_in(3) ? 0 : random.uniform(0, 3));
    const Ball to = from + Ball(std::exp(random.uniform(-4, 1)));
    const Ball bound = gaussian_bound(mean, hyperbola, from, &to);
    const Ball infinite = gaussian_bound(mean, hyperbola, from, nullptr);
    for (const double share : {0.0, 0.3, 0.8, 1.0}) {
      const auto size = [&](const Ball& x) {
        const ComplexBall w = hyperbola.point(x);
        return exp((ComplexBall(mean) * w * (w - ComplexBall(1))).real());
      };
      CHECK(may_lie_below(size(from + Ball(share) * (to - from)), bound));
      if (!infinite.is_finite()) continue;
      ++finite;
      CHECK(may_lie_below(size(from + Ball(share * share * 5)), infinite));
    }
  }
  CHECK(finite > trials(50));
}

TEST_CASE("distances from the poles") {
  Random random(62);
  for (int i = 0; i < trials(500); ++i) {
    const PrecisionScope scope(96);
    const Hyperbola hyperbola = random_contour(random);
    const Ball from(random.one_in(3) ? 0 : random.uniform(0, 3));
    const Ball to = from + Ball(std::exp(random.uniform(-6, 1)));
    for (const double pole : {0.0, 1.0}) {
      const Ball bound = distance_from(Ball(pole), hyperbola.point(from), hyperbola.point(to));
      for (const double share : {0.0, 0.2, 0.5, 1.0}) {
        const ComplexBall w = hyperbola.point(from + Ball(share) * (to - from));
        CHECK(may_lie_below(bound, abs(w - ComplexBall(Ball(pole)))));
      }
    }
  }
}

TEST_CASE("measures of arcs: integrals, and sums over nodes wherever they lie") {
  Random random(63);
  int finite = 0;
  for (int i = 0; i < trials(500); ++i) {
    const PrecisionScope scope(96);
    const Hyperbola hyperbola = random_contour(random);
    const Ball from(random.one_in(3) ? 0.001 : random.uniform(0.001, 4));
    const double length = std::exp(random.uniform(-6, 0.7));
    const Ball to = from + Ball(length);
    const Ball bound = arc_weight(hyperbola, from, to, Ball(0));
    const Ball infinite = infinite_arc_weight(hyperbola, from, Ball(0));
    if (!bound.is_finite()) continue;
    ++finite;
    Ball least = measure(hyperbola, from);
    for (int k = 1; k <= 16; ++k) {
      least = min(least, measure(hyperbola, from + (to - from) * Ball(k / 16.0)));
    }
    // a sum of midpoints, and where the arc is short its least value, are below the integral
    Ball integral;
    for (int k = 0; k < 64; ++k)
      integral += measure(hyperbola, from + (to - from) * Ball((k + 0.5) / 64));
    integral = integral * (to - from) / Ball(64);
    CHECK(may_lie_below(length < 0.01 ? integral * Ball(1 - 1e-6) : integral * Ball(0.995), bound));
    const double step = length * std::exp(random.uniform(-2, 2));
    const Ball points = arc_weight(hyperbola, from, to, Ball(step));
    Ball sum;
    for (Ball x = from; certainly_less_equal(x, to); x += Ball(step)) sum += measure(hyperbola, x);
    CHECK(may_lie_below(sum * Ball(step), points));
    if (from.estimate() < 0.05) continue;
    Ball beyond, nodes;
    const double fine = 0.05;
    for (int k = 0; k < 300; ++k) {
      // right of the poles or left of 0, the bound is that of a hyperbola through the poles
      beyond += measure(hyperbola, from + Ball((k + 0.5) * fine)) * Ball(fine);
    }
    const double wide = std::exp(random.uniform(-1, 1.5));
    for (int k = 0; k < 20; ++k) nodes += measure(hyperbola, from + Ball(k * wide)) * Ball(wide);
    CHECK(may_lie_below(beyond * Ball(0.99), infinite));
    CHECK(may_lie_below(nodes, infinite_arc_weight(hyperbola, from, Ball(wide))));
  }
  CHECK(finite > trials(100));
}
