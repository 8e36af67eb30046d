// The Laplace transform of a lognormal variable: against a plain sum, and each of its errors.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "lib/analysis/lognormal_transform.hpp"
#include "lib/balls/precision.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

using Transform = LognormalTransform;

/// phi(e^(u + i theta)) by its definition: the trapezoidal rule at real y with a fine step.
ComplexBall plain(const Rational& squared_rate, const Ball& u, double theta) {
  const PrecisionScope scope(200);
  const Ball rate = sqrt(Ball(squared_rate));
  const Ball step = Ball(1) / Ball(512);
  const ComplexBall s = exp(ComplexBall(u, Ball(theta)));
  ComplexBall sum;
  for (long l = -14 * 512; l <= 14 * 512; ++l) {
    const Ball y = step * Ball(l);
    sum += ComplexBall(normal_density(y) * step) *
           exp(-s * ComplexBall(exp(rate * y - ldexp(square(rate), -1))));
  }
  return widened(sum, Ball(1e-30));
}

bool inside(const ComplexBall& value, const ComplexBall& truth) {
  return contains(value.real(), truth.real().middle()) &&
         contains(value.imaginary(), truth.imaginary().middle());
}

struct Case {
  Transform::Lattice lattice;
  Transform::Rule rule;
};

/// Rules as they are chosen for few digits, some of them laid worse than that.
Case random_case(Random& random) {
  const Rational rate(random.integer(2, 12), 6);
  Case made{{rate * rate, Rational(1, random.integer(8, 40)), Ball(random.uniform(-2, 2)),
             random.one_in(3) ? 0 : random.uniform(0, 1.4)},
            {}};
  const double nats = random.uniform(2, 12);
  made.rule =
      Transform::choose(estimate(rate), estimate(made.lattice.unit), made.lattice.theta, nats)
          .value();
  if (random.one_in(3)) made.rule.points = random.integer(1, made.rule.points);
  if (random.one_in(3)) made.rule.nats = random.uniform(0.05, 2);
  if (random.one_in(4)) made.rule.turn = made.lattice.theta * random.uniform(0.3, 1);
  made.rule.half_width *= random.one_in(2) ? 1 : random.uniform(0.2, 1);
  const double most = (1.57 - made.rule.turn) / estimate(rate);
  made.rule.half_width = std::min(made.rule.half_width, most);
  return made;
}

/// How many of some random cases do not contain the truth.
int missed(int cases, int enough = all_of_them) {
  Random random(17);
  int count = 0;
  for (int i = 0; i < cases && count < enough; ++i) {
    const Case c = random_case(random);
    const long index = random.integer(-20, 20);
    const PrecisionScope scope(160);
    const Ball u = Ball(c.lattice.unit) * Ball(index) + c.lattice.offset;
    const Transform transform(c.lattice, c.rule, index - random.integer(0, 3),
                              index + random.integer(0, 3));
    if (!inside(transform.at(index), plain(c.lattice.squared_rate, u, c.lattice.theta))) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("the transform contains the truth, and not without one of its errors") {
  CHECK(missed(40) == 0);
  for (const char* term : {"lognormal.quadrature", "lognormal.tails"}) {
    const Scaled left_out(term, 0);
    INFO(std::string(term));
    CHECK(missed(40, 1) > 0);
  }
}

TEST_CASE("many digits of the transform") {
  const PrecisionScope scope(200);
  for (const double theta : {0.0, 0.7, 1.5}) {
    for (const int rate : {1, 2, 8}) {  // quarters
      const Transform::Lattice lattice{Rational(rate * rate, 16), Rational(1, 64), Ball(0), theta};
      const auto rule = Transform::choose(rate / 4.0, 1.0 / 64, theta, 90);
      REQUIRE(rule);
      const Transform transform(lattice, *rule, 0, 200);
      for (const long i : {0L, 64L, 200L}) {
        const ComplexBall value = transform.at(i);
        INFO("rate ", rate, "/4, theta ", theta, ", index ", i);
        CHECK(inside(value, plain(lattice.squared_rate, Ball(i) / Ball(64), theta)));
        CHECK(value.real().radius_double() < 1e-30);
      }
    }
  }
}

TEST_CASE("strips in which the exponential grows are refused") {
  const PrecisionScope scope(64);
  Transform::Lattice lattice{Rational(1), Rational(1, 16), Ball(0), 1.0};
  const Transform::Rule good = Transform::choose(1, 1.0 / 16, 1, 20).value();
  CHECK_NOTHROW(Transform(lattice, good, 0, 1));
  Transform::Rule wide = good;
  wide.half_width = 1.58 - good.turn;
  CHECK_THROWS_AS(Transform(lattice, wide, 0, 1), std::domain_error);
  wide = good;
  wide.turn = 0.5;
  wide.half_width = 1.2;  // below pi/2 - turn no longer
  CHECK_THROWS_AS(Transform(lattice, wide, 0, 1), std::domain_error);
  wide = good;
  wide.turn = 1.1;  // more than theta
  wide.half_width = 0.1;
  CHECK_THROWS_AS(Transform(lattice, wide, 0, 1), std::domain_error);
}
