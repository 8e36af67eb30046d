// The closed forms beyond the boxes of the bent path, and the sums of boxes and ends: each against
// sampled values, integrals by fine sums, and sums over points that are left out.
#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "mechanisms/bent_boxes.hpp"
#include "support/bent.hpp"
#include "support/containment.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

bool may_lie_below(const Ball& value, const Ball& bound) {
  return certainly_less_equal(value.lower(), bound.upper());
}

/// A path with boxes whose ends are as near as they may be, now and then.
struct Laid {
  BentPath path;
  double shift, left, right;
  BentBoxes boxes;
};

std::optional<Laid> lay(Random& random, double growth) {
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

Arc random_arc(Random& random, const BentPath& path, double coefficient) {
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
Arc opposite_arc(Random& random, const Laid& laid) {
  const BentPoint at(laid.path, MixtureInV(laid.path.mixture()), Ball(laid.right), laid.shift);
  const double turned = std::atan2(at.l.imaginary().estimate(), at.l.real().estimate());
  const double angle =
      std::min(std::atan(laid.path.shape().slope), turned) * random.uniform(0.93, 0.999);
  const double growth = std::numbers::pi * random.uniform(0.8, 1.2) / at.l.real().estimate();
  const double from = random.uniform(0.5, 2), scale = growth / std::sinh(from) / std::cos(angle);
  return {Hyperbola(Ball(-scale * std::sin(angle) * std::exp(-from)), Ball(scale), Ball(angle)),
          from, from + 1e-6};
}

std::string describe(const Laid& laid) {
  const BentShape& s = laid.path.shape();
  char text[400];
  std::snprintf(text, sizeof text,
                " rise %.17g slope %.17g bend %.17g knee %.17g, shift %.17g, %.17g to %.17g",
                s.rise, s.slope, s.bend, s.knee, laid.shift, laid.left, laid.right);
  return spec_of(laid.path.mixture()) + text;
}

/// step * sum over the points from + (k + offset) step < to of the sizes of e^{w l} and e^{w l} -
/// 1; a negative step goes down from `from`.
BentBound sums(const Laid& laid, const ComplexBall& w, double from, double to, double step,
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
double reach(const Laid& laid) { return 9 / MixtureInV(laid.path.mixture()).sigma.estimate(); }

}  // namespace

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
  CHECK(seen > 100);
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
  CHECK(left_finite > 50);
  CHECK(right_finite > 50);
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
  CHECK(claimed > 30);
  CHECK(refused > 100);
}

TEST_CASE("whole bounds: the integral over the path") {
  Random random(44);
  int finite = 0;
  for (int i = 0; i < trials(140); ++i) {
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
  CHECK(finite > 40);
}

TEST_CASE("whole bounds: points of a sum that are left out") {
  Random random(45);
  int finite = 0;
  for (int i = 0; i < trials(300); ++i) {
    const bool wide = random.one_in(2);  // boxes
    const auto laid = lay(random, wide ? 0.05 : std::exp(random.uniform(2, 6)));
    if (!laid) continue;
    const PrecisionScope scope(64);
    const Arc on = random_arc(random, laid->path, random.uniform(-2, 3));
    const HyperbolaArc arc(on.hyperbola, Ball(on.from), Ball(on.to));
    const MixtureInV in_v(laid->path.mixture());
    const double sigma = in_v.sigma.estimate(), peak = -in_v.origin.estimate() / sigma;
    const double width = laid->right - laid->left;
    double step = std::exp(random.uniform(-2.5, 1)) / sigma;
    double low = laid->left + width * random.uniform(0, 0.7);
    double high = low + (laid->right - low) * random.uniform(0, 1);
    if (random.one_in(2)) {  // only the tail on one side, which falls within single boxes
      low = laid->left + 1e-6;
      high = std::min(laid->right, peak + random.uniform(1, 7) / sigma);
    } else if (random.one_in(2) && peak > 0.5) {  // a point at the peak, and it is left out
      step = peak / static_cast<double>(random.integer(1, 4));
      low = laid->left + 1e-6;
      high = peak - step * 0.9;
    } else if (random.one_in(2) && peak < -0.5) {
      step = -peak / static_cast<double>(random.integer(1, 4));
      low = peak + step * 0.9;
      high = laid->right - 1e-6;
    }
    const double first = std::ceil(low / step) * step, last = std::floor(high / step) * step;
    const Ball omitted = laid->boxes.omitted(arc, Ball(step), Ball(first), Ball(last));
    if (!omitted.is_finite() || first > last) continue;
    ++finite;
    const ComplexBall w = on.hyperbola.point(Ball(on.to));
    INFO(describe(*laid), " center ", on.hyperbola.center().estimate(), " scale ",
         on.hyperbola.scale().estimate(), " angle ", on.hyperbola.angle().estimate(), " at ", on.to,
         " step ", step, " first ", first, " last ", last);
    const double far = reach(*laid);
    const Ball outside = sums(*laid, w, first - step, laid->left - far, -step).minus_one +
                         sums(*laid, w, last + step, laid->right + far, step).minus_one;
    CHECK(may_lie_below(outside, omitted));
  }
  CHECK(finite > 40);
}
