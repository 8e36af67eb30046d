// A few digits of one direction, asked whether it is below what the other one gives: against the
// bands of that direction alone.
#include <doctest/doctest.h>

#include "accountants/session/answer.hpp"
#include "accountants/session/direction_session.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

constexpr double much_work = 10;

}  // namespace

TEST_CASE("few digits show a number below what is above it, and never below what is not") {
  long shown = 0;
  for (const char* spec :
       {"poisson(gaussian(sigma=0.8), rate=0.004)^1000", "poisson(gaussian(sigma=2), rate=0.2)^7",
        "gaussian(sigma=3)^40 * approximate(epsilon=0, delta=1e-9)",
        "poisson(gaussian(sigma=9.443), rate=0.1411)^12264"}) {
    const Composition composition = parse_spec(spec);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      AnswerOptions options;
      options.direction =
          direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
      const DirectionSession session(composition, direction, options);
      for (const char* argument : {"1e-6", "0.01", "0.7"}) {
        const Rational x = parse_rational(argument);
        for (const Quantity quantity : {Quantity::epsilon, Quantity::delta}) {
          INFO(std::string(spec), ", argument ", std::string(argument));
          const Enclosure truth = Session(parse_spec(spec), options).answer(quantity, x).band;
          if (!certainly_positive(truth.lower)) continue;
          const PrecisionScope scope(256);
          for (const double factor : {0.5, 0.999999, 1.0, 1.000001, 1.2, 3.0}) {
            const Ball goal = (truth.upper * Ball(factor)).middle();
            const auto found = session.below_by("contour", quantity, x, goal, much_work);
            if (factor < 1) CHECK(!found);
            if (factor >= 3) CHECK((found || quantity == Quantity::delta || x == Rational(7, 10)));
            if (!found) continue;
            ++shown;
            CHECK(certainly_less_equal(found->upper, goal));
            CHECK(!certainly_less(found->upper, truth.lower));
            CHECK(!certainly_less(truth.upper, found->lower));
          }
        }
      }
    }
  }
  CHECK(shown > 40);
}

TEST_CASE("nothing is shown by accountants that do not apply") {
  const AnswerOptions options;
  const DirectionSession session(parse_spec("poisson(gaussian(sigma=1), rate=0.1)^50"),
                                 Direction::add, options);
  const Rational delta(1, 100000);
  CHECK(session.below_by("contour", Quantity::epsilon, delta, Ball(50), much_work));
  CHECK(!session.below_by("contour", Quantity::epsilon, delta, positive_infinity(), much_work));
  CHECK(!session.below_by("laplace", Quantity::epsilon, delta, Ball(50), much_work));
  CHECK(!session.below_by("none of this name", Quantity::epsilon, delta, Ball(50), much_work));
}
