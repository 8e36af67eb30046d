// Arcs of hyperbolas, against points of them.
#include "accountants/proof/kinds/hyperbola_arcs.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("arcs: level, reach and modulus hold between both ends") {
  Random random(56);
  for (int i = 0; i < trials(300); ++i) {
    const PrecisionScope scope(96);
    const proof::Hyperbola<Ball> hyperbola(Ball(random.uniform(-6, 6)),
                                           Ball(std::exp(random.uniform(-3, 4))),
                                           Ball(random.uniform(0.02, 1.5)));
    const double from = random.one_in(3) ? 0 : random.uniform(0, 4);
    const double to = from + std::exp(random.uniform(-5, 1.5));
    const proof::Arc<Ball> arc = hyperbola.arc(Ball(from), Ball(to));
    for (int k = 0; k <= 8; ++k) {
      const Ball x = Ball(from) + Ball(k) * (Ball(to) - Ball(from)) / Ball(8);
      const ComplexBall w = hyperbola.at(x),
                        l(Ball(random.uniform(-3, 3)), Ball(random.uniform(-3, 3)));
      CHECK_OVERLAPS(arc.level, hyperbola.level(x));
      CHECK_OVERLAPS(arc.reach, hyperbola.scale * sinh(x));
      CHECK(may_be_below(abs(w), arc.size));
      // Re(w l) = C Re l + S D(l), and w' is what differences of w are near
      CHECK_OVERLAPS((w * l).real(), hyperbola.level(x) * l.real() +
                                         hyperbola.scale * sinh(x) * hyperbola.steepness(l));
      const Ball step(0x1p-40);
      const ComplexBall slope = (hyperbola.at(x + step) - w) / ComplexBall(step);
      CHECK(may_be_below(abs(slope - hyperbola.derivative(x)),
                         (abs(w) + hyperbola.scale) * Ball(1e-9)));
    }
  }
}

TEST_CASE("arcs: the measure, beside the poles and between them") {
  Random random(58);
  int compared = 0;
  for (int i = 0; i < trials(400); ++i) {
    const PrecisionScope scope(96);
    const double scale = std::exp(random.uniform(-3, 2)), angle = random.uniform(0.05, 1.4);
    const double crossing =
        random.one_in(2) ? 1 + std::exp(random.uniform(-4, 1)) : -std::exp(random.uniform(-4, 1.5));
    const proof::Hyperbola<Ball> hyperbola(Ball(crossing - scale * std::sin(angle)), Ball(scale),
                                           Ball(angle));
    const double from = random.one_in(3) ? 0 : random.uniform(0, 4);
    const double to = from + std::exp(random.uniform(-5, 1));
    const Ball measure = hyperbola.measure(Ball(from), Ball(to));
    if (!measure.is_finite())
      continue;  // a pole lies above or below an arc that begins at the axis
    Ball sum;
    constexpr int points = 200;
    for (int k = 0; k < points; ++k) {
      const Ball x = Ball(from) + Ball(2 * k + 1) * Ball(to - from) / Ball(2 * points);
      const ComplexBall w = hyperbola.at(x);
      const Ball term = abs(hyperbola.derivative(x) / (w * (w - ComplexBall(1))));
      sum += term * Ball(to - from) / Ball(points);
      CHECK(may_be_below(term * Ball(to - from), measure));
    }
    CHECK(may_be_below(sum, measure));
    ++compared;
  }
  CHECK(compared > trials(200));
}

TEST_CASE("arcs: Gaussian factors, rising and falling") {
  Random random(59);
  int rising = 0, none = 0;
  for (int i = 0; i < trials(400); ++i) {
    const PrecisionScope scope(96);
    const proof::Hyperbola<Ball> hyperbola(Ball(random.uniform(-3, 8)),
                                           Ball(std::exp(random.uniform(-4, 1))),
                                           Ball(random.uniform(0.05, 0.78)));
    const Ball mean(std::exp(random.uniform(-4, 0)));
    const Ball from(random.one_in(3) ? 0 : random.uniform(0, 2));
    const Ball to = from + Ball(std::exp(random.uniform(-3, 1)));
    const auto size = [&](const Ball& x) {
      const ComplexBall w = hyperbola.at(x);
      return exp((ComplexBall(mean) * w * (w - ComplexBall(1))).real());
    };
    const Ball bound = hyperbola.gaussian_bound(mean, from, &to);
    for (int k = 0; k <= 10; ++k) {
      CHECK(may_be_below(size(from + Ball(k) * (to - from) / Ball(10)), bound));
    }
    rising += certainly_less(size(from), size(to)) ? 1 : 0;
    try {
      const Ball always = hyperbola.gaussian_bound(mean, from, nullptr);
      for (int k = 0; k <= 10; ++k) CHECK(may_be_below(size(from + Ball(k) / Ball(4)), always));
    } catch (const proof::Rejected&) {
      ++none;
    }
  }
  CHECK(rising > trials(20));
  CHECK(none > trials(20));
}
