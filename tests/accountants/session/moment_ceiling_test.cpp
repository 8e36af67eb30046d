// Upper bounds of the direction that does not decide: against the bands of that direction alone.
#include "accountants/session/moment_ceiling.hpp"

#include <doctest/doctest.h>

#include "accountants/session/answer.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

Answer answer(const char* spec, DirectionChoice direction, Quantity quantity, const Rational& x) {
  AnswerOptions options;
  options.direction = direction;
  return Session(parse_spec(spec), options).answer(quantity, x);
}

const DirectionAnswer& of_add(const Answer& both) {
  REQUIRE(both.directions.size() == 2);
  REQUIRE(both.directions[1].direction == Direction::add);
  return both.directions[1];
}

}  // namespace

TEST_CASE("moment ceilings lie above the number, and below what they were asked for") {
  for (const char* spec :
       {"poisson(gaussian(sigma=0.8), rate=0.004)^1000", "poisson(gaussian(sigma=2), rate=0.2)^7",
        "gaussian(sigma=1) * approximate(epsilon=0.1, delta=1e-6)", "laplace(scale=2)^30",
        "gaussian(sigma=3)^40 * approximate(epsilon=0, delta=1e-9)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss(parse_spec(spec), direction);
      const DirectionChoice choice =
          direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
      for (const char* argument : {"1.0001e-6", "1e-5", "0.01", "0.5", "3"}) {
        const Rational x = parse_rational(argument);
        for (const Quantity quantity : {Quantity::epsilon, Quantity::delta}) {
          if (quantity == Quantity::epsilon && x >= 1) continue;
          INFO(std::string(spec), ", argument ", std::string(argument));
          const Enclosure truth = answer(spec, choice, quantity, x).band;
          const PrecisionScope scope(256);
          for (const double above : {1.0, 1.2, 3.0, 1e3}) {
            const Ball goal = (truth.upper * Ball(above) + Ball(above - 1)).upper();
            const auto found = moment_ceiling(loss, quantity, x, goal);
            if (!found) continue;
            CHECK(certainly_less_equal(found->upper, goal));
            CHECK(!certainly_less(found->upper, truth.lower));
            CHECK(!certainly_less(truth.upper, found->lower));
            // less by what no double sees: what it promised may be less still
            const Ball just_below = (found->upper - ldexp(found->upper, -60)).lower();
            const bool still = moment_ceiling(loss, quantity, x, just_below).has_value();
            CHECK((!still || found->upper.is_exact_zero()));
          }
          // far above the number one moment suffices, below it none does
          if (quantity == Quantity::delta && x < 1) continue;
          const bool far = moment_ceiling(loss, quantity, x, Ball(1000)).has_value();
          CHECK((far || quantity == Quantity::delta || !certainly_positive(truth.upper) ||
                 !truth.upper.is_finite()));
          if (certainly_positive(truth.lower)) {
            CHECK(!moment_ceiling(loss, quantity, x, ldexp(truth.lower, -1).lower()));
          }
        }
      }
    }
  }
}

TEST_CASE("a ceiling counts the mass at infinity") {
  // nearly all of delta is the mass at infinity, so what is left of it asks for a great epsilon
  const char* spec = "gaussian(sigma=3)^40 * approximate(epsilon=0, delta=1e-6)";
  const ComposedLoss loss(parse_spec(spec), Direction::add);
  const Rational delta = parse_rational("1.000000000001e-6");
  // delta(eps) = d + (1 - d) times that of the Gaussian steps, where d is the mass at infinity; the
  // curve as a whole would take as long as it is given
  const Rational mass(1, 1000000);
  const Enclosure epsilon = answer("gaussian(sigma=3)^40", DirectionChoice::add, Quantity::epsilon,
                                   (delta - mass) / (1 - mass))
                                .band;
  CHECK(reached(epsilon, 12));
  const auto above = moment_ceiling(loss, Quantity::epsilon, delta, Ball(1000));
  REQUIRE(above);
  CHECK(!certainly_less(above->upper, epsilon.lower));
  const auto total = moment_ceiling(loss, Quantity::delta, Rational(40), Ball(1));
  REQUIRE(total);
  const PrecisionScope scope(128);
  CHECK(!certainly_less(total->upper, Ball(parse_rational("1e-6"))));
}

TEST_CASE("the direction that does not decide is left to one moment") {
  for (const char* spec : {"poisson(gaussian(sigma=0.8), rate=0.004)^1000",
                           "poisson(gaussian(sigma=0.65), rate=0.01)^10"}) {
    const Rational delta(1, 1000000);
    const Answer both = answer(spec, DirectionChoice::both, Quantity::epsilon, delta);
    const Answer remove = answer(spec, DirectionChoice::remove, Quantity::epsilon, delta);
    const Answer add = answer(spec, DirectionChoice::add, Quantity::epsilon, delta);
    const Enclosure& left = of_add(both).band;
    CHECK(both.reached);
    CHECK(left.remark == "not pursued: the other direction decides");
    CHECK(certainly_less_equal(left.upper, both.band.lower));
    CHECK(certainly_less_equal(left.lower, add.band.lower));
    CHECK(certainly_less_equal(add.band.upper, left.upper));
    const PrecisionScope scope(256);
    CHECK((both.band.lower - remove.band.lower).is_exact_zero());
    CHECK((both.band.upper - remove.band.upper).is_exact_zero());
  }
}

TEST_CASE("where both directions are next to each other, both are pursued") {
  const Answer both = answer("poisson(gaussian(sigma=20), rate=0.9999999)^50",
                             DirectionChoice::both, Quantity::epsilon, Rational(1, 10000000));
  CHECK(reached(of_add(both).band, 12));
}

TEST_CASE("the moment of many different steps is worth its work") {
  std::string spec;
  for (int i = 0; i < 300; ++i) {
    spec += (i == 0 ? "" : " * ") + std::string("poisson(gaussian(sigma=1.") +
            std::to_string(1000 + i) + "), rate=0.01)";
  }
  const ComposedLoss loss(parse_spec(spec), Direction::add);
  REQUIRE(loss.terms().size() == 300);
  const PrecisionScope scope(64);
  CHECK(moment_ceiling(loss, Quantity::epsilon, parse_rational("1e-6"), Ball(2)));
  CHECK(!moment_ceiling(loss, Quantity::epsilon, parse_rational("1e-6"), Ball(0.5)));
}
