// The closed forms beyond the boxes of the bent path, and the integrals over boxes and ends: each
// against sampled values and fine sums.
#include <doctest/doctest.h>

#include <vector>

#include "support/bent_boxes.hpp"
#include "support/containment.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("the ends of the path: arguments, moduli and measures beyond the boxes") {
  Random random(41);
  int seen = 0;
  for (int i = 0; i < trials(200); ++i) {
    const auto laid = lay(random, 0.1);
    if (!laid) continue;
    ++seen;
    const PrecisionScope scope(128);
    const MixtureInV in_v(laid->path.mixture());
    const BentBoxes::LeftEnd& left = laid->boxes.left();
    const BentBoxes::RightEnd& right = laid->boxes.right();
    INFO(describe(*laid));
    Ball mass;
    const double fine = std::min(0.25, 0.2 / in_v.sigma.estimate());
    for (int k = 0; k < 40; ++k) {
      const Ball back = Ball(fine) * Ball(k);
      const BentPoint before(laid->path, in_v, Ball(laid->left) - back, laid->shift);
      const Ball turned = log(before.l).imaginary();
      CHECK(may_lie_below(abs(before.l), left.log_bound));
      CHECK(may_lie_below(left.least_argument, turned));
      CHECK(may_lie_below(turned, left.largest_argument));
      CHECK(may_lie_below(before.density, left.density));
      // the density increases to the left end: a sum of values at left ends of cells is below
      if (k > 0) mass += before.density * Ball(fine);
      const BentPoint beyond(laid->path, in_v, Ball(laid->right) + back, laid->shift);
      CHECK(may_lie_below(right.real_low + back, beyond.v.real()));
      CHECK(may_lie_below(beyond.v.real(), right.real_high + back));
      CHECK(may_lie_below(right.imaginary_low, beyond.v.imaginary()));
      CHECK(may_lie_below(abs(beyond.l - beyond.v), right.correction));
      CHECK(
          may_lie_below(beyond.density, right.constant * exp(right.exponent + right.slope * back)));
    }
    CHECK(may_lie_below(mass * Ball(0.8), left.mass));
  }
  CHECK(seen > trials(100));
}

TEST_CASE("bounds of the ends on arcs: integrals, and sums over points") {
  Random random(42);
  int left_finite = 0, right_finite = 0;
  for (int i = 0; i < trials(250); ++i) {
    const auto laid = lay(random, 0.1);
    if (!laid) continue;
    const PrecisionScope scope(80);
    const double coefficient = random.one_in(4) ? 0.0 : random.uniform(-3, 40);
    const Arc on = random.one_in(3) ? opposite_arc(random, *laid)
                                    : random_arc(random, laid->path, coefficient);
    const HyperbolaArc arc(on.hyperbola, Ball(on.from), Ball(on.to));
    const double sigma = MixtureInV(laid->path.mixture()).sigma.estimate();
    const double coarse = std::exp(random.uniform(-1, 2)) / sigma;
    const double fine = 0.08 / sigma;
    for (const double x : {on.from, on.to}) {
      const ComplexBall w = on.hyperbola.point(Ball(x));
      INFO(describe(*laid), " center ", on.hyperbola.center().estimate(), " scale ",
           on.hyperbola.scale().estimate(), " angle ", on.hyperbola.angle().estimate(), " at ", x,
           " step ", coarse);
      for (const bool right : {false, true}) {
        const BentBound whole =
            right ? laid->boxes.right_end(arc, Ball(0)) : laid->boxes.left_end(arc, Ball(0));
        const BentBound points = right ? laid->boxes.right_end(arc, Ball(coarse))
                                       : laid->boxes.left_end(arc, Ball(coarse));
        if (!whole.plain.is_finite()) continue;
        ++(right ? right_finite : left_finite);
        const double end = right ? laid->right : laid->left;
        const auto beyond = [&](double step, double offset) {
          const double sign = right ? 1 : -1;
          return sums(*laid, w, end, end + sign * reach(*laid), sign * step, offset);
        };
        const BentBound integral = beyond(fine, 0.5);
        CHECK(may_lie_below(integral.plain * Ball(0.97), whole.plain));
        CHECK(may_lie_below(integral.minus_one * Ball(0.97), whole.minus_one));
        const BentBound sum = beyond(coarse, 0);  // the first one at the end itself
        CHECK(may_lie_below(sum.plain, points.plain));
        CHECK(may_lie_below(sum.minus_one, points.minus_one));
      }
    }
  }
  CHECK(left_finite > trials(50));
  CHECK(right_finite > trials(50));
}

TEST_CASE("decay is only claimed where it holds at every point of the path") {
  Random random(43);
  int claimed = 0, refused = 0;
  for (int i = 0; i < trials(200); ++i) {
    const auto laid = lay(random, 0.1);
    if (!laid || laid->shift != 0) continue;
    const PrecisionScope scope(80);
    const MixtureInV in_v(laid->path.mixture());
    // the least argument of log(f / p_0) on the path, its ends included
    double least = std::atan(laid->path.shape().slope);
    for (double x = laid->left - 60; x < laid->right + 60; x += 0.2) {
      const BentPoint at(laid->path, in_v, Ball(x), 0);
      least = std::min(least, log(at.l).imaginary().estimate());
    }
    for (const double share : {0.5, 0.9, 1.003, 1.1, 1.5, 2.5}) {
      const double angle = least * share;
      if (!(angle < 1.55)) continue;
      const bool decays = laid->boxes.decays(Hyperbola(Ball(1), Ball(1), Ball(angle)));
      INFO(describe(*laid), " angle ", angle, " least ", least);
      if (share > 1) CHECK_FALSE(decays);
      claimed += decays ? 1 : 0;
      refused += share > 1 ? 1 : 0;
    }
  }
  CHECK(claimed > trials(30));
  CHECK(refused > trials(100));
}

TEST_CASE("whole bounds: the integral over the path") {
  Random random(44);
  int finite = 0;
  for (int i = 0; i < trials(200); ++i) {  // the order of the draws is the compiler's
    const auto laid = lay(random, std::exp(random.uniform(-2, 5)));
    if (!laid) continue;
    const PrecisionScope scope(64);
    const bool real = random.one_in(2);  // w nearly real, w l of the size of 1
    Arc on = random_arc(random, laid->path, real ? random.uniform(0.3, 2) : random.uniform(-3, 12));
    if (real) {
      on = {Hyperbola(on.hyperbola.center(), Ball(0.01), on.hyperbola.angle()), 0, 0.01};
    }
    const HyperbolaArc arc(on.hyperbola, Ball(on.from), Ball(on.to));
    const double sigma = MixtureInV(laid->path.mixture()).sigma.estimate();
    const BentBound bound = laid->boxes.integral(arc);
    if (!bound.plain.is_finite()) continue;
    ++finite;
    for (const double x : {on.from, on.to}) {
      const ComplexBall w = on.hyperbola.point(Ball(x));
      INFO(describe(*laid), " center ", on.hyperbola.center().estimate(), " scale ",
           on.hyperbola.scale().estimate(), " angle ", on.hyperbola.angle().estimate(), " at ", x);
      const double far = reach(*laid);
      const BentBound whole = sums(*laid, w, laid->left - far, laid->right + far, 0.1 / sigma, 0.5);
      CHECK(may_lie_below(whole.plain * Ball(0.99), bound.plain));
      CHECK(may_lie_below(whole.minus_one * Ball(0.99), bound.minus_one));
    }
  }
  CHECK(finite > trials(40));
}
