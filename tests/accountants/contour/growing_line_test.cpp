// Lines that take more steps: against the closed form of Gaussians, and against lines that were
// made for the whole run.
#include "accountants/contour/growing_line.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "accountants/contour/contour.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "support/curves.hpp"

using namespace plaudit;

namespace {

/// delta of Gaussian noise whose mean loss is m: the loss is N(m, 2m).
Ball delta_of_mean(const Ball& m, const Ball& epsilon) {
  const Ball s = sqrt(ldexp(m, 1));
  return normal_cdf(ldexp(s, -1) - epsilon / s) -
         exp(epsilon) * normal_cdf(-ldexp(s, -1) - epsilon / s);
}

StraightChoice short_line() {
  StraightChoice choice;
  choice.t = 1;
  choice.h = 2 * std::numbers::pi / 6;  // a period of 6, too short for the longer runs
  choice.nodes = 60;
  choice.nats = 30;
  return choice;
}

}  // namespace

TEST_CASE("a line with more terms holds the curve of all of them, however short it is for them") {
  const PrecisionScope scope(256);
  const ComposedLoss first(parse_spec("gaussian(sigma=1)"), Direction::remove);
  CumulantTable table(first);
  for (const char* added :
       {"gaussian(sigma=1)", "gaussian(sigma=0.4)^3", "gaussian(sigma=7)^200"}) {
    CAPTURE(std::string(added));
    const ComposedLoss more(parse_spec(added), Direction::remove);
    std::vector<ComposedLoss::Term> terms = first.terms();
    terms.push_back(more.terms().front());
    const ComposedLoss whole(terms, Direction::remove);
    CumulantTable table_of_whole(whole);
    const ComposedLoss::Term& term = more.terms().front();
    const Ball mean =
        Ball(Rational(1, 2)) + Ball(term.count) * Ball(*term.loss->facts().gaussian_mean);
    for (const double epsilon : {0.5, 1.0, 3.0}) {
      CAPTURE(epsilon);
      StraightContour line(first, table, epsilon, short_line());
      line.delta(Ball(epsilon));
      StraightContour longer(line, whole, table_of_whole, more.terms());
      CHECK_BAND_HOLDS(longer.delta(Ball(epsilon)), delta_of_mean(mean, Ball(epsilon)));
      // once more, from a line that has taken terms itself
      terms.push_back(term);
      const ComposedLoss twice(terms, Direction::remove);
      terms.pop_back();
      CumulantTable table_of_twice(twice);
      StraightContour longest(longer, twice, table_of_twice, more.terms());
      CHECK_BAND_HOLDS(
          longest.delta(Ball(epsilon)),
          delta_of_mean(mean + Ball(term.count) * Ball(*term.loss->facts().gaussian_mean),
                        Ball(epsilon)));
    }
  }
}

TEST_CASE("a growing line is as narrow as one for the whole run, and as right") {
  const auto run = [](int steps) {
    std::string spec;
    for (int i = 0; i < steps; ++i) {
      spec += (i == 0 ? "" : " * ") + ("poisson(gaussian(" + std::to_string(1 + 0.01 * i)) +
              "), rate=0.05)^3";
    }
    return parse_spec(spec);
  };
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const ComposedLoss first(run(20), direction);
    CumulantTable table(first);
    const double log_delta = std::log(1e-6);
    const double epsilon = table.epsilon_for(log_delta);
    const StraightChoice choice = choose_straight(first, table, epsilon, 25, log_delta);
    const proof::LineChoices choices{
        choice.t,    choice.h,         choice.nodes,       choice.both_residues,
        choice.nats, choice.log_delta, choice.cancellation};
    GrowingLine line(first, choices, epsilon);
    const Composition longer = run(26);
    const ComposedLoss whole(longer, direction);
    // the laws of the first 20 steps are those of the shorter run
    std::vector<ComposedLoss::Term> terms = first.terms();
    for (std::size_t i = 20; i < 26; ++i) terms.push_back(whole.terms()[i]);
    const ComposedLoss grown(terms, direction);
    const auto more = grown.terms_beyond(first);
    REQUIRE(more);
    CHECK(more->size() == 6);
    GrowingLine grown_line(line, grown, *more);
    const Rational delta = parse_rational("1e-6");
    Enclosure band = trivial_epsilon(grown, delta);
    grown_line.narrow_epsilon(band, delta, 6);
    CHECK(reached(band, 6));
    const Enclosure alone = contour_accountant()->open(whole, Goal{10})->epsilon(delta);
    CHECK(reached(alone, 10));
    CHECK(!certainly_less(band.upper, alone.lower));
    CHECK(!certainly_less(alone.upper, band.lower));
    Enclosure at = trivial_delta(grown, parse_rational("1.5"));
    grown_line.narrow_delta(at, parse_rational("1.5"));
    const Enclosure curve =
        contour_accountant()->open(whole, Goal{10})->delta(parse_rational("1.5"));
    CHECK(!certainly_less(at.upper, curve.lower));
    CHECK(!certainly_less(curve.upper, at.lower));
  }
}

TEST_CASE("terms beyond those of another run") {
  const Composition step = parse_spec("poisson(gaussian(1), rate=0.1)");
  const Composition other = parse_spec("laplace(2)^4");
  const ComposedLoss first(step, Direction::remove);
  const Composition both({{step.factors()[0].mechanism, 3}, other.factors()[0]});
  const ComposedLoss whole(both, Direction::remove, &first);
  CHECK(whole.terms()[0].loss == first.terms()[0].loss);
  const auto more = whole.terms_beyond(first);
  REQUIRE(more);
  REQUIRE(more->size() == 2);
  CHECK((*more)[0].count == 2);
  CHECK((*more)[1].count == 4);
  CHECK(!first.terms_beyond(whole));
  CHECK(whole.terms_beyond(whole)->empty());
  CHECK(!ComposedLoss(both, Direction::remove).terms_beyond(first));  // laws of its own
  CHECK(!ComposedLoss(both, Direction::add, &first).terms_beyond(first));
}
