// delta with the runs told apart by their largest draw: against closed forms of one step, sums of
// two steps, numbers of mpmath and contours, and where parts are left out carelessly.
#include <cmath>
#include <string>

#include "accountants/rare/largest_draw_sum.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "support/containment.hpp"
#include "support/curves.hpp"
#include "support/random_specs.hpp"
#include "support/sabotage.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure largest_delta(const char* name, const std::string& spec, const char* epsilon,
                        int digits) {
  return accountant(name)
      ->open(loss_from(spec, Direction::remove), Goal{digits})
      ->delta(parse_rational(epsilon));
}

std::string sample_of(const char* noise, const char* rate, const char* steps) {
  return std::string("poisson(gaussian(sigma=") + noise + "), rate=" + rate + ")^" + steps;
}

/// A plan of one huge draw beyond a careless y1, with slices of careless width below.
LargestDrawPlan careless(double start, double end, double order, int slices) {
  LargestDrawPlan plan;
  plan.start = start;
  plan.line_beyond = true;
  for (int i = 1; i <= slices; ++i) {
    const double low = i == slices ? end : start + (end - start) * i / slices;
    plan.slices.push_back({low, end, order});
  }
  plan.end = end;
  plan.order = order;
  return plan;
}

}  // namespace

TEST_CASE("largest draw: two steps, and what two_steps reaches") {
  struct Case {
    std::string spec;
    const char* epsilon;
  };
  constexpr int digits = 10;
  const Case cases[] = {
      {sample_of("8", "0.001", "2"), "0.15"},
      {sample_of("1.86", "4.305e-8", "2"), "0.001777"},
      {sample_of("12.55", "0.009559", "2"), "0.7"},
      {sample_of("33.24", "0.01236", "2"), "0.01"},
  };
  for (const Case& each : cases) {
    INFO(each.spec);
    const Enclosure found = largest_delta("largest_draw", each.spec, each.epsilon, digits);
    const Enclosure other = largest_delta("two_steps", each.spec, each.epsilon, digits);
    const Enclosure moments = largest_delta("moments", each.spec, each.epsilon, 6);
    INFO(show(found), " and ", show(other), " ", found.remark, other.remark);
    CHECK(reached(found, digits));
    CHECK(overlaps(found, other));
    CHECK(overlaps(found, moments));
  }
}

// python: quad over one draw of phi(y) f(y) delta_1(eps - log f(y)), delta_1 = P - e^x Q of one
// step, mp.dps = 40, by Gauss-Legendre on pieces of 1/16 of either draw; good to about 1e-13.
TEST_CASE("largest draw: two steps, by mpmath") {
  struct Case {
    std::string spec;
    const char* epsilon;
    const char* truth;
    double accuracy;
    int digits;
  };
  const Case cases[] = {
      {sample_of("12.55", "0.009559", "2"), "0.7", "4.0008771952685134e-753", 1e-12, 12},
      {sample_of("12.55", "0.009559", "19"), "0.8", "5.374708258e-809", 1e-9, 9},
  };
  for (const Case& each : cases) {
    const PrecisionScope scope(200);
    const Ball truth(parse_rational(each.truth));
    const Ball spare = truth * Ball(each.accuracy);
    const Enclosure found = largest_delta("largest_draw", each.spec, each.epsilon, each.digits);
    INFO(each.spec, " ", show(found), " ", found.remark);
    CHECK(certainly_less_equal(found.lower, truth + spare));
    CHECK(certainly_less_equal(truth - spare, found.upper));
    CHECK(reached(found, each.digits));
  }
}

TEST_CASE("largest draw: bands of all digits meet, and epsilon is delta's inverse") {
  Random random(4712);
  int narrow_bands = 0;
  for (int i = 0; i < trials(8); ++i) {
    const double noise = std::exp(random.uniform(1, 3.5));
    const double rate = std::exp(random.uniform(-6, -3.5));
    const auto steps = random.integer(2, 40);
    const std::string spec = "poisson(gaussian(sigma=" + to_string(exactly(noise)) +
                             "), rate=" + to_string(exactly(rate)) + ")^" + std::to_string(steps);
    const Rational epsilon = exactly(rate * std::exp(random.uniform(3, 5)));
    INFO(spec, " at ", to_string(epsilon));
    const auto by = [&](const char* name, int digits) {
      const WorkShare limit(10);  // without one, the costliest line is worth its digits
      return accountant(name)
          ->open(loss_from(spec, Direction::remove), Goal{digits})
          ->delta(epsilon);
    };
    const Enclosure few = by("largest_draw", 5);
    if (!reached(few, 5)) continue;
    const Enclosure many = by("largest_draw", 14);
    CHECK(overlaps(few, many));
    CHECK(overlaps(few, by("moments", 6)));
    if (!reached(many, 14)) continue;
    ++narrow_bands;
    const Enclosure inverse = accountant("largest_draw")
                                  ->open(loss_from(spec, Direction::remove), Goal{8})
                                  ->epsilon(exact_rational(many.lower));
    const PrecisionScope scope(4096);
    CHECK(certainly_less_equal(inverse.lower, Ball(epsilon) * Ball(1 + 1e-9)));
    CHECK(certainly_less_equal(Ball(epsilon) * Ball(1 - 1e-9), inverse.upper));
  }
  CHECK(narrow_bands > 1);
}

TEST_CASE("largest draw: parts that are bounded are paid for") {
  const std::string spec = sample_of("12.55", "0.009559", "2");
  const Rational at = parse_rational("0.7");
  const Enclosure truth = largest_delta("largest_draw", spec, "0.7", 12);
  REQUIRE(reached(truth, 12));
  const ComposedLoss loss = loss_from(spec, Direction::remove);
  bool missed = false;
  // y1 too high: what lies below it is in slices, and of the size of delta
  for (const double start : {58.4, 58.6, 58.67}) {
    LargestDrawPlan plan = careless(start, 50, 3000, 8);
    plan.log_delta = plan.log_beyond = truth.lower.estimate_log();
    LargestDrawSum sum(loss, plan, 0.7, 30);
    const PrecisionScope scope(sum.bits());
    CHECK(holds(sum.delta(Ball(at)), truth.lower));
    const Scaled without("largest_draw.others", 0);
    if (misses(sum.delta(Ball(at)), truth.lower)) missed = true;
  }
  CHECK(missed);
}

TEST_CASE("largest draw: another draw in a run of a slice is paid for") {
  const std::string spec = sample_of("2", "0.25", "2");
  const ComposedLoss loss = loss_from(spec, Direction::remove);
  const Enclosure truth = largest_delta("two_steps", spec, "0.5", 12);
  REQUIRE(reached(truth, 10));
  // The greatest loss of a draw in a slice is 0.42, and those of draws below 0.1 are negative:
  // delta is made by the other draw beyond 0.1, and the high order leaves nothing of the rest.
  LargestDrawPlan plan = careless(2.5, 2, 1, 0);
  plan.slices = {{2.25, 0.1, 2000}, {2, 0.1, 2000}};
  plan.line_below = true;
  LargestDrawSum sum(loss, plan, 0.5, 25);
  const PrecisionScope scope(sum.bits());
  INFO(show(sum.delta(Ball(0.5))), " ", show(truth));
  CHECK(holds(sum.delta(Ball(0.5)), truth.lower));
}

TEST_CASE("largest draw: pairs are not counted twice") {
  const std::string spec = sample_of("2", "0.25", "2");
  const ComposedLoss loss = loss_from(spec, Direction::remove);
  const Enclosure truth = largest_delta("two_steps", spec, "0.5", 12);
  REQUIRE(reached(truth, 10));
  bool missed = false;
  for (const double start : {0.25, 0.5, 1.0}) {
    LargestDrawPlan plan = careless(start, start, 1, 0);
    LargestDrawSum sum(loss, plan, 0.5, 25);
    const PrecisionScope scope(sum.bits());
    INFO(start, " ", show(sum.delta(Ball(0.5))), " ", show(truth));
    CHECK(holds(sum.delta(Ball(0.5)), truth.lower));
    const Scaled without("largest_draw.pairs", 0);
    if (misses(sum.delta(Ball(0.5)), truth.lower)) missed = true;
  }
  CHECK(missed);
}

TEST_CASE("largest draw: runs without a huge draw, bounded or with too low an end") {
  const std::string spec = sample_of("33.24", "0.01236", "2");
  const ComposedLoss loss = loss_from(spec, Direction::remove);
  const Enclosure truth = largest_delta("largest_draw", spec, "0.01", 12);
  REQUIRE(reached(truth, 12));
  LargestDrawPlanner planner(loss);
  LargestDrawPlan plan = planner.plan(0.01, 30);
  bool missed = false;
  for (const double end : {16.5, 16.75, 17.0, 17.25, 17.5, 17.75}) {
    // the line up to a careless end, or the bound, and the mass beyond
    for (const bool line : {true, false}) {
      LargestDrawPlan other = plan;
      other.slices.clear();
      other.start = other.end = end;
      other.line_beyond = false;
      other.line_below = line;
      other.order = 20000;
      std::unique_ptr<LargestDrawSum> sum;
      try {
        sum = std::make_unique<LargestDrawSum>(loss, other, 0.01, 30);
      } catch (const std::domain_error&) {  // too long a line
        continue;
      }
      const PrecisionScope scope(sum->bits());
      const Ball at(parse_rational("0.01"));
      INFO(end, " ", line, " ", show(sum->delta(at)), " ", show(truth));
      CHECK(holds(sum->delta(at), truth.lower));
      const Scaled without("largest_draw.others", 0);
      if (misses(sum->delta(at), truth.lower)) missed = true;
    }
  }
  CHECK(missed);
}

TEST_CASE("largest draw: slices that end above the real cut of the runs below are refused") {
  const ComposedLoss loss = loss_from(sample_of("2", "0.25", "2"), Direction::remove);
  for (const bool line : {true, false}) {
    LargestDrawPlan plan = careless(2.5, 2.00001, 1, 2);  // cut at 2
    plan.line_below = line;
    CHECK_THROWS_AS(LargestDrawSum(loss, plan, 0.5, 25), std::logic_error);
  }
}

TEST_CASE("what largest_draw refuses") {
  const auto refusal = [](const std::string& spec, Direction direction) {
    return accountant("largest_draw")->refusal(loss_from(spec, direction)).has_value();
  };
  CHECK(refusal("gaussian(sigma=1)", Direction::remove));
  CHECK(refusal(sample_of("1", "0.01", "10"), Direction::add));
  CHECK_FALSE(refusal(sample_of("1", "0.01", "10"), Direction::remove));
  CHECK_FALSE(
      largest_delta("largest_draw", sample_of("1", "0.01", "1000"), "1", 12).remark.empty());
  CHECK(refusal(sample_of("22", "0.02", "1"), Direction::remove));
  CHECK_FALSE(largest_delta("largest_draw", sample_of("22", "0.02", "2"), "-1", 12).remark.empty());
}

TEST_CASE("largest draw: where the first point of huge draws lies below the last of the others") {
  // the lines meet: no slice is between them, and none is missing
  const std::string spec = sample_of("1.4627", "6.6687e-9", "794225");
  const Enclosure band = largest_delta("largest_draw", spec, "0.0093564", 4);
  const Enclosure other = largest_delta("moments", spec, "0.0093564", 4);
  CHECK(certainly_positive(band.lower));
  CHECK(certainly_less(band.upper, Ball(1e-95)));
  CHECK(certainly_less_equal(band.lower, other.upper));
}
