// Sums over the points of the bent path that are left out: their bounds against the sums.
#include <doctest/doctest.h>

#include "support/bent_boxes.hpp"
#include "support/containment.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// The points outside [first, last]; false where there is no bound.
bool check(const Laid& laid, const Arc& on, double step, double first, double last) {
  const HyperbolaArc arc(on.hyperbola, Ball(on.from), Ball(on.to));
  const Ball omitted = laid.boxes.omitted(arc, Ball(step), Ball(first), Ball(last));
  if (!omitted.is_finite() || first > last) return false;
  const ComplexBall w = on.hyperbola.point(Ball(on.to));
  INFO(describe(laid), " center ", on.hyperbola.center().estimate(), " scale ",
       on.hyperbola.scale().estimate(), " angle ", on.hyperbola.angle().estimate(), " at ", on.to,
       " step ", step, " first ", first, " last ", last);
  const double far = reach(laid);
  const Ball outside = sums(laid, w, first - step, laid.left - far, -step).minus_one +
                       sums(laid, w, last + step, laid.right + far, step).minus_one;
  CHECK(may_lie_below(outside, omitted));
  return true;
}

}  // namespace

TEST_CASE("points anywhere") {
  Random random(45);
  int finite = 0;
  for (int i = 0; i < trials(300); ++i) {
    const bool wide = random.one_in(2);  // boxes
    const auto laid = lay(random, wide ? 0.05 : std::exp(random.uniform(2, 6)));
    if (!laid) continue;
    const PrecisionScope scope(64);
    const Arc on = random_arc(random, laid->path, random.uniform(-2, 3));
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
    if (check(*laid, on, step, first, last)) ++finite;
  }
  CHECK(finite > trials(40));
}

TEST_CASE("points beyond the boxes on the left, near the peak, where the boxes are narrow") {
  Random random(46);
  int finite = 0;
  for (int i = 0; i < trials(100); ++i) {
    const auto laid = lay(random, std::exp(random.uniform(3, 4.2)));
    if (!laid) continue;
    const PrecisionScope scope(64);
    const double sigma = MixtureInV(laid->path.mixture()).sigma.estimate();
    if (laid->left < -3) continue;
    const double step = -laid->left / std::ceil(-laid->left * sigma / 0.03);
    const double last = std::floor(laid->right / step) * step;
    const Arc on = random_arc(random, laid->path, random.uniform(-2, 3));
    if (check(*laid, on, step, laid->left, last)) ++finite;
  }
  CHECK(finite > trials(10));
}

TEST_CASE("points within the last box, behind the last one that stays") {
  Random random(47);
  int finite = 0;
  for (int i = 0; i < trials(200); ++i) {
    const auto laid = lay(random, 0.05);
    if (!laid) continue;
    const PrecisionScope scope(64);
    const BentBoxes::Box& box = laid->boxes.boxes().back();
    const double step = (box.to - box.from) * random.uniform(0.02, 0.3);
    const double first = std::ceil((laid->left + 1e-6) / step) * step;
    const double last = std::floor((box.from + step) / step) * step;
    const Arc on = random_arc(random, laid->path, random.uniform(-2, 9));
    if (check(*laid, on, step, first, last)) ++finite;
  }
  CHECK(finite > trials(30));
}
