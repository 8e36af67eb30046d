// Two sampled steps as one sum: against contours, against a value of another program, and at
// careless choices of strip, step and ends, where the error terms are all that saves the enclosure.
#include <cmath>
#include <string>

#include "accountants/few/two_step_sum.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "support/containment.hpp"
#include "support/curves.hpp"
#include "support/random_specs.hpp"
#include "support/reference_table.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::string step(Random& random, double least_noise) {
  return "poisson(gaussian(sigma=" + between(random, least_noise, 20) +
         "), rate=" + between(random, 1e-5, 0.9) + ")";
}

Enclosure delta_of(const char* name, const ComposedLoss& loss, const Rational& epsilon,
                   int digits = 12) {
  return accountant(name)->open(loss, {digits})->delta(epsilon);
}

TwoStepSum sum_of(const ComposedLoss& loss) {
  const auto first = SampledGaussian::of(*loss.terms().front().loss);
  const auto second = SampledGaussian::of(*loss.terms().back().loss);
  return {*first, *second};
}

Ball value_of(const TwoStepSum& sum, const Ball& b, const TwoStepPlan& plan) {
  Ledger unused;
  return sum.value(b, plan, Ball(1), unused);
}

}  // namespace

TEST_CASE("two steps against contours, both directions") {
  Random random(811);
  int narrow_bands = 0;
  for (int i = 0; i < trials(12); ++i) {
    const std::string one = step(random, 0.3);
    const std::string spec = random.one_in(2) ? one + "^2" : one + " * " + step(random, 0.3);
    const Rational epsilon = exactly(random.one_in(4) ? -0.03 : std::exp(random.uniform(-8, 2)));
    const Rational delta = parse_rational(random_delta(random));
    const int digits = random.one_in(3) ? 25 : 10;
    for (const Direction direction : {Direction::remove, Direction::add}) {
      INFO(spec, " ", std::string(name_of(direction)), " ", to_string(epsilon), " ",
           to_string(delta));
      const ComposedLoss loss = loss_from(spec, direction);
      const Enclosure value = delta_of("two_steps", loss, epsilon, digits);
      const Enclosure inverse = accountant("two_steps")->open(loss, {digits})->epsilon(delta);
      narrow_bands += (reached(value, digits) ? 1 : 0) + (reached(inverse, digits) ? 1 : 0);
      const WorkShare limit(0.4);  // what was not settled by then is a wider band
      try {
        const auto curve = accountant("contour")->open(loss, {10});
        CHECK_BANDS_OVERLAP(value, curve->delta(epsilon));
        CHECK_BANDS_OVERLAP(inverse, curve->epsilon(delta));
      } catch (const WorkLimitReached&) {  // nothing was claimed
      }
    }
  }
  CHECK(narrow_bands > 3 * trials(12));
}

TEST_CASE("two steps: a value that another program found, at three precisions") {
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=1), rate=0.5)^2");
  const TwoStepSum sum = sum_of(loss);
  for (const long bits : {53L, 128L, 512L}) {
    const PrecisionScope scope(bits);
    const Ball lift(sum.lift());
    const Ball b = lift * exp(Ball(2)) - Ball(1);
    const Ball g = value_of(sum, b, sum.plan(b.estimate(), 80));
    const Ball delta = Ball(1) - exp(Ball(2)) + exp(Ball(2)) * g;
    const PrecisionScope wide(600);
    CHECK_OVERLAPS(delta, printed("0.012407359584290892219238", 22));
  }
  const Enclosure band = delta_of("two_steps", loss, 2, 20);
  CHECK(reached(band, 20));
  CHECK_BAND_MEETS(band, printed("0.012407359584290892219238", 22));
}

TEST_CASE("two steps: careless strips, steps and ends only widen the enclosure") {
  Random random(812);
  int hidden = 0;
  for (int i = 0; i < trials(300); ++i) {
    const ComposedLoss loss = loss_from(step(random, 0.3) + " * " + step(random, 0.3));
    const TwoStepSum sum = sum_of(loss);
    const Ball b(std::exp(random.uniform(-6, 4)));
    const PrecisionScope scope(200);
    const Ball truth = value_of(sum, b, sum.plan(b.estimate(), 90));
    INFO(loss.terms()[0].loss->describe(), " ", loss.terms().back().loss->describe(), " b ",
         b.estimate());
    REQUIRE(truth.radius_double() < 1e-30);
    TwoStepPlan plan = sum.plan(b.estimate(), random.uniform(1, 8));
    if (random.one_in(2))
      plan.step = std::ldexp(std::floor(16 * plan.step * random.uniform(1, 3)) + 1, -4);
    if (random.one_in(3)) plan.half_width = random.uniform(0.1, 1.7);
    if (random.one_in(2)) plan.first += random.integer(-3, 12);
    if (random.one_in(2)) plan.last = std::max(plan.first, plan.last - random.integer(0, 12));
    INFO("width ", plan.half_width, " step ", plan.step, " ", plan.first, " ", plan.last);
    const Ball found = value_of(sum, b, plan);
    CHECK(contains(found, truth));
    if (found.is_finite() && found.radius_double() < 0.2) ++hidden;
  }
  CHECK(hidden > trials(300) / 10);
}

TEST_CASE("two steps: each error term carries weight") {
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=0.7), rate=0.2)^2");
  const TwoStepSum sum = sum_of(loss);
  const PrecisionScope scope(200);
  const Ball b(3);
  const Ball truth = value_of(sum, b, sum.plan(3, 90));
  TwoStepPlan coarse = sum.plan(3, 60);
  coarse.first /= 4;
  coarse.step *= 4;
  coarse.last /= 4;
  TwoStepPlan shortened = sum.plan(3, 60);
  shortened.last /= 3;
  struct Case {
    const char* term;
    TwoStepPlan plan;
  };
  for (const Case& each :
       {Case{"two_steps.quadrature", coarse}, Case{"two_steps.tails", shortened}}) {
    INFO(std::string(each.term));
    CHECK(contains(value_of(sum, b, each.plan), truth));
    sabotage::scale(each.term, 0);
    const bool wrong = !contains(value_of(sum, b, each.plan), truth);
    sabotage::clear();
    CHECK(wrong);
  }
}

TEST_CASE("two steps: ends of the support, trivial epsilons and deltas") {
  const char* const spec = "poisson(gaussian(sigma=1), rate=0.5)^2";  // n lambda = log 4
  const ComposedLoss add = loss_from(spec, Direction::add);
  const ComposedLoss remove = loss_from(spec, Direction::remove);
  CHECK(delta_of("two_steps", add, Rational(7, 5)).upper.is_exact_zero());
  const Enclosure near_end = delta_of("two_steps", add, parse_rational("1.3862943611198906"));
  CHECK(certainly_less(near_end.upper, Ball(1e-60)));
  for (const ComposedLoss& loss : {add, remove}) {
    const Enclosure low = delta_of("two_steps", loss, -20);
    CHECK_BAND_MEETS(low, Ball(1) - exp(Ball(-20)));
    const auto curve = accountant("two_steps")->open(loss, {12});
    CHECK(curve->epsilon(1).upper.is_exact_zero());
    CHECK(reached(curve->epsilon(parse_rational("1e-50")), 12));
    CHECK_FALSE(reached(curve->epsilon(parse_rational("1e-300")), 12));  // it says why
    CHECK_FALSE(curve->epsilon(parse_rational("1e-300")).remark.empty());
  }
  const Enclosure end = accountant("two_steps")->open(add, {12})->epsilon(0);
  CHECK(certainly_less_equal(end.upper, log(Ball(4)) + Ball(1e-12)));
}

TEST_CASE("two_steps refuses what is not two sampled Gaussian steps") {
  for (const char* spec :
       {"poisson(gaussian(sigma=1), rate=0.5)^3", "poisson(gaussian(sigma=1), rate=0.5)",
        "gaussian(sigma=1)^2", "gaussian(sigma=1) * poisson(gaussian(sigma=1), rate=0.5)",
        "poisson(laplace(1), 0.5)^2"}) {
    INFO(std::string(spec));
    CHECK(accountant("two_steps")->refusal(loss_from(spec)));
  }
  CHECK_FALSE(accountant("two_steps")->refusal(loss_from("poisson(gaussian(1), 0.5)^2")));
}
