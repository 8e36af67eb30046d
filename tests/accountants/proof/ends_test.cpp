// What the ends of the support say, in both arithmetics, against curves that are known.
#include "accountants/proof/kinds/ends.hpp"

#include <doctest/doctest.h>

#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// Two atoms at -1/2 and 1 with p and q, L = inf with mass 1/10, and Q's mass where P has none.
struct Atoms {
  Ball p_low = Ball(Rational(3, 10));
  Ball p_high = Ball(Rational(6, 10));
  Ball q_low = p_low * exp(Ball(0.5));
  Ball q_high = p_high * exp(Ball(-1));

  Ball delta(const Ball& epsilon) const {
    const auto part = [&](const Ball& p, const Ball& q) {
      return max(Ball(0), p - exp(epsilon) * q);
    };
    return Ball(Rational(1, 10)) + part(p_low, q_low) + part(p_high, q_high);
  }
};

template <class Real>
proof::Support<Real> support(const Real& q, bool exact) {
  proof::Support<Real> result{Real(Rational(9, 10)), Real(Rational(1, 10)), q};
  const Rational first(-1, 2);
  const Rational last(1);
  result.first = {Real(first), exact ? std::optional(first) : std::nullopt};
  result.last = {Real(last), exact ? std::optional(last) : std::nullopt};
  result.atom = {Real(last), Real(Rational(6, 10)), Real(0)};  // q enters no bound
  return result;
}

}  // namespace

TEST_CASE("bounds by the ends of the support hold the curve, and are sharp where they say all") {
  const PrecisionScope scope(128);
  const Atoms atoms;
  const Ball q = atoms.q_low + atoms.q_high;
  const proof::Interval interval_q =
      proof::Interval(Rational(3, 10)) * proof::exp(proof::Interval(Rational(1, 2))) +
      proof::Interval(Rational(6, 10)) * proof::exp(proof::Interval(-1));
  for (const bool exact : {true, false}) {
    for (const char* text : {"-3", "-0.5", "-0.4999", "-0.1", "0", "0.5", "0.9999", "1", "2"}) {
      const Rational epsilon = parse_rational(text);
      const Ball value = atoms.delta(Ball(epsilon));
      const auto balls = proof::ends(support<Ball>(q, exact), epsilon);
      const auto intervals = proof::ends(support<proof::Interval>(interval_q, exact), epsilon);
      const Ball low = hull(Ball(proof::lower(intervals.low)), Ball(proof::upper(intervals.low)));
      const Ball high =
          hull(Ball(proof::lower(intervals.high)), Ball(proof::upper(intervals.high)));
      INFO(std::string(text));
      CHECK_OVERLAPS(low, balls.low);
      CHECK_OVERLAPS(high, balls.high);
      CHECK_FALSE(certainly_less(value, balls.low));
      CHECK_FALSE(certainly_less(balls.high, value));
      // from the lower atom on, the upper one says all
      if (epsilon >= Rational(-1, 2)) CHECK(certainly_less(value - balls.low, Ball(1e-30)));
      const bool known = epsilon <= Rational(-1, 2) || epsilon >= 1;
      CHECK(certainly_less(balls.high - balls.low, Ball(1e-30)) == known);
    }
  }
}

TEST_CASE("the greatest loss alone bounds the curve from above, the least one from below") {
  const PrecisionScope scope(128);
  // all of the finite mass at one loss: every bound is the curve
  const Ball infinite(Rational(1, 8));
  const Ball finite = Ball(1) - infinite;
  const Rational loss(7, 10);
  for (const char* text : {"-2", "0", "0.3", "0.69"}) {
    const Rational epsilon = parse_rational(text);
    const Ball value = infinite - finite * expm1(Ball(epsilon) - Ball(loss));
    proof::Support<Ball> point{finite, infinite, finite * exp(-Ball(loss))};
    point.last = {Ball(loss), loss};
    const auto above = proof::ends(point, epsilon);
    CHECK_OVERLAPS(above.high, value);
    CHECK(above.high.radius_double() < 1e-30);
    CHECK_OVERLAPS(above.low, value);  // the line touches the curve
    CHECK(above.low.radius_double() < 1e-30);
    point.last.reset();
    point.first = {Ball(loss), loss};
    const auto below = proof::ends(point, epsilon);
    CHECK_OVERLAPS(below.low, value);
    CHECK_OVERLAPS(below.high, value);
  }
}

TEST_CASE(
    "where nothing is known of the support, 1 - e^epsilon and the mass at infinity are left") {
  const PrecisionScope scope(128);
  const proof::Support<Ball> nothing{Ball(0.75), Ball(0.25), Ball(1)};
  CHECK_OVERLAPS(proof::ends(nothing, -3).low, -expm1(Ball(-3)));
  CHECK(certainly_less(-expm1(Ball(-3)) - proof::ends(nothing, -3).low, Ball(1e-30)));
  CHECK_OVERLAPS(proof::ends(nothing, 2).low, Ball(0.25));
  CHECK_OVERLAPS(proof::ends(nothing, parse_rational("1e12")).low, Ball(0.25));
  CHECK((proof::ends(nothing, 2).high - Ball(1)).is_exact_zero());
  // a band of an answer begins with it
  const Enclosure band =
      trivial_delta(loss_from("approximate(epsilon=1, delta=0.25)"), Rational(1, 2));
  const Ball expected = Ball(0.25) - Ball(0.75) * expm1(Ball(-0.5));
  CHECK_FALSE(certainly_less(band.upper, expected));
  CHECK(certainly_less(band.upper - expected, Ball(1e-30)));
  CHECK(certainly_less_equal(Ball(0.25), band.lower.upper()));
}

TEST_CASE("the greatest atom bounds epsilon from below, and is all there is between two atoms") {
  const PrecisionScope scope(256);
  // three steps of +-1: delta(eps) = p^3 (1 - e^(eps-3)) for eps in [1, 3]
  const Rational delta = parse_rational("1e-9");
  const Ball p = Ball(1) / (Ball(1) + exp(Ball(-1)));
  const Ball expected = Ball(3) + log1p(-Ball(delta) / power(p, 3));
  const Enclosure three = trivial_epsilon(loss_from("pure(epsilon=1)^3"), delta);
  CHECK_FALSE(certainly_less(expected, three.lower));
  CHECK(certainly_less(expected - three.lower, Ball(1e-60)));
  CHECK(certainly_less(expected, three.upper));
  // with a mass at infinity only what is beyond it counts
  const Ball finite = power(Ball(Rational(3, 4)), 3);
  const Rational more = Rational(37, 64) + delta;
  const Ball left = Ball(3) + log1p(-Ball(delta) / (power(p, 3) * finite));
  const Enclosure stated = trivial_epsilon(loss_from("approximate(epsilon=1, delta=0.25)^3"), more);
  CHECK_FALSE(certainly_less(left, stated.lower));
  CHECK(certainly_less(left - stated.lower, Ball(1e-60)));
  // no atom that could have so much mass
  const Rational much(9, 10);
  CHECK(trivial_epsilon(loss_from("pure(epsilon=1)^3"), much).lower.is_exact_zero());
}

TEST_CASE("next to the greatest loss of sampled Laplace noise its atom has all digits") {
  const PrecisionScope scope(1024);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const ComposedLoss loss = loss_from("poisson(laplace(scale=8.47), rate=0.124)^2", direction);
    const Rational delta = parse_rational("5.3e-172");
    const Enclosure band = trivial_epsilon(loss, delta);
    CHECK(certainly_less(band.upper - band.lower, Ball(parse_rational("1e-169"))));
    // the law of one step, written out
    const Ball g(parse_rational("0.124"));
    const Ball e = exp(Ball(Rational(100, 847)));
    const bool remove = direction == Direction::remove;
    const Ball top = remove ? log(Ball(1) - g + g * e) : -log(Ball(1) - g + g / e);
    const Ball mass = remove ? ldexp((Ball(1) - g) / e + g, -1) : Ball(0.5);
    CHECK_FALSE(certainly_less(band.upper, ldexp(top, 1)));
    CHECK_FALSE(certainly_less(ldexp(top, 1) + log1p(-Ball(delta) / square(mass)), band.lower));
    CHECK(certainly_less(band.lower, band.upper));
  }
}
