// delta as a sum over the number of rare draws: against closed forms of one step, against sums of
// two steps and contours, and where numbers of draws are left out carelessly.
#include <cmath>
#include <string>

#include "accountants/rare/rare_draw_sum.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/curves.hpp"
#include "support/random_specs.hpp"
#include "support/sabotage.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure delta_by(const char* name, const std::string& spec, const Rational& epsilon, int digits) {
  return accountant(name)->open(loss_from(spec, Direction::remove), Goal{digits})->delta(epsilon);
}

std::string sampled(const std::string& noise, const std::string& rate, const std::string& steps) {
  return "poisson(gaussian(sigma=" + noise + "), rate=" + rate + ")^" + steps;
}

}  // namespace

TEST_CASE("rare draws: one step, two steps, and what the contour reaches") {
  struct Case {
    std::string spec;
    const char* epsilon;
    const char* by;
    int digits;
  };
  const Case cases[] = {
      {sampled("22", "0.02", "1"), "300", "closed_form", 12},
      {sampled("3", "1e-6", "1"), "60", "closed_form", 12},
      {sampled("0.4", "1e-12", "2"), "20", "two_steps", 3},
      {sampled("0.4", "1e-12", "3"), "20", "contour", 3},
      {sampled("0.25", "1e-12", "1000"), "60", "contour", 3},
      {sampled("1.534", "0.02953", "6"), "120", "contour", 6},
  };
  for (const Case& each : cases) {
    INFO(each.spec);
    const Rational epsilon = parse_rational(each.epsilon);
    const Enclosure found = delta_by("rare_draws", each.spec, epsilon, each.digits);
    const Enclosure other = delta_by(each.by, each.spec, epsilon, each.digits);
    INFO(show(found), " and ", show(other), " ", found.remark, other.remark);
    CHECK(reached(found, each.digits));
    CHECK(overlaps(found, other));
    CHECK(reached(other, 3));
  }
}

TEST_CASE("rare draws: bands of all digits and precisions meet, and epsilon is delta's inverse") {
  Random random(4711);
  int narrow_bands = 0;
  for (int i = 0; i < trials(10); ++i) {
    const std::string spec = sampled(between(random, 0.5, 100), between(random, 1e-9, 1e-2),
                                     std::to_string(random.integer(1, 100000)));
    const Rational epsilon = exactly(std::exp(random.uniform(2, 6)));
    INFO(spec, " at ", to_string(epsilon));
    const Enclosure few = delta_by("rare_draws", spec, epsilon, 6);
    const Enclosure many = delta_by("rare_draws", spec, epsilon, 20);
    const Enclosure moments = delta_by("moments", spec, epsilon, 6);
    CHECK(overlaps(few, many));
    CHECK(overlaps(few, moments));
    CHECK(overlaps(many, moments));
    if (!reached(many, 20)) continue;
    ++narrow_bands;
    const Rational delta = exact_rational(many.lower);
    const Enclosure inverse = accountant("rare_draws")
                                  ->open(loss_from(spec, Direction::remove), Goal{10})
                                  ->epsilon(delta);
    const PrecisionScope scope(4096);
    CHECK(certainly_less_equal(inverse.lower, ldexp(Ball(epsilon) * Ball(1 + 1e-9), 0)));
    CHECK(certainly_less_equal(Ball(epsilon) * Ball(1 - 1e-9), inverse.upper));
  }
  CHECK(narrow_bands > trials(10) / 4);
}

TEST_CASE("rare draws: numbers of draws left out are paid for") {
  struct Case {
    std::string spec;
    double epsilon;
  };
  bool missed_above = false;
  bool missed_below = false;
  for (const Case& each : {Case{sampled("2.843", "0.002189", "2345"), 244.5},
                           Case{sampled("20.61", "1.207e-9", "3"), 4856.0}}) {
    const ComposedLoss loss = loss_from(each.spec, Direction::remove);
    RareDrawPlanner planner(loss);
    const RareDrawPlan plan = planner.plan(each.epsilon, 33);
    RareDrawSum fine(plan, each.epsilon, 36);
    const PrecisionScope scope(fine.bits());
    const Enclosure truth = fine.delta(Ball(each.epsilon));
    REQUIRE(reached(truth, 12));
    const std::uint64_t k = plan.likeliest;
    for (const RareDrawRange range :
         {RareDrawRange{k, k}, RareDrawRange{k + 1, std::min(k + 3, plan.cases->steps())},
          RareDrawRange{k - std::min<std::uint64_t>(k, 3), k - 1}}) {
      if (range.first > range.last || range.last > plan.cases->steps()) continue;
      INFO(each.spec, " ", range.first, " to ", range.last);
      RareDrawSum coarse(plan, each.epsilon, 20, range);
      const Enclosure band = coarse.delta(Ball(each.epsilon));
      CHECK(overlaps(band, truth));
      const Scaled without("rare_draws.others", 0);
      if (misses(coarse.delta(Ball(each.epsilon)), truth.lower)) {
        (range.first > k ? missed_above : missed_below) = true;
      }
    }
  }
  CHECK(missed_above);
  CHECK(missed_below);
}

TEST_CASE("rare draws: a sum made beyond the losses of runs without them, asked below") {
  // made where runs without rare draws have no part, which they have at smaller epsilons
  const std::string spec = sampled("1", "1e-9", "2");
  const ComposedLoss loss = loss_from(spec, Direction::remove);
  RareDrawPlanner planner(loss);
  const RareDrawPlan plan = planner.plan(10, 10);
  const double end = plan.cases->at(0).loss.greatest_loss().upper_double();
  REQUIRE(end < 10);
  for (const std::uint64_t first : {0U, 1U}) {
    RareDrawSum sum(plan, 10, 10, RareDrawRange{first, 2});
    for (const double share : {0.9, 0.5, 1e-3, 1e-6}) {
      const Rational below = exactly(end * share);
      const Enclosure truth = delta_by("two_steps", spec, below, 12);
      REQUIRE(reached(truth, 9));
      const PrecisionScope scope(sum.bits());
      const Enclosure band = sum.delta(Ball(below));
      INFO(share, " ", show(band), " ", show(truth));
      CHECK(overlaps(band, truth));
    }
  }
}

TEST_CASE("rare draws: the terms of one side are below their geometric series") {
  const PrecisionScope scope(200);
  const std::uint64_t n = 40;
  for (const char* odds : {"0.01", "0.3", "1.7"}) {
    const Ball log_s = log(Ball(parse_rational("0.7")));
    const Ball log_b = log_s + log(Ball(parse_rational(odds)));
    for (std::uint64_t k = 0; k <= n; ++k) {
      for (const bool upward : {true, false}) {
        Ball sum;
        for (std::uint64_t j = upward ? k : 0; j <= (upward ? n : k); ++j) {
          sum += exp(log_binomial(n, j) + Ball(n - j) * log_s + Ball(j) * log_b);
        }
        CHECK(
            certainly_less_equal(log(sum).lower(), log_binomial_side(n, k, upward, log_s, log_b)));
      }
    }
  }
}

TEST_CASE("lines without residues: short periods give wide bands, and their aliases carry weight") {
  const ComposedLoss loss = loss_from("gaussian(sigma=0.1)^3", Direction::remove);
  CumulantTable table(loss);
  const Rational at = 400;
  const double epsilon = 400;
  const Enclosure exact = delta_by("closed_form", "gaussian(sigma=0.1)^3", at, 40);
  const double log_delta = table.log_delta(epsilon, table.saddle(epsilon));
  // below the saddle point the left aliases are the greater ones, above it the right ones
  for (const double share : {0.88, 1.12}) {
    bool missed = false;
    for (const double shorter : {1.0, 1.5, 2.0, 3.0, 4.0}) {
      StraightChoice choice = choose_without_residue(loss, table, epsilon, 30, log_delta);
      REQUIRE(choice.no_residue);
      choice.t *= share;
      choice.h *= shorter;
      StraightContour line(loss, table, epsilon, choice);
      const PrecisionScope scope(line.bits());
      const Enclosure band = line.delta(Ball(at));
      INFO(shorter, " ", show(band), " ", show(exact));
      CHECK(holds(band, exact.lower));
      const Scaled without(share < 1 ? "contour.left.aliasing" : "contour.right.aliasing", 0);
      if (misses(line.delta(Ball(at)), exact.lower)) missed = true;
    }
    CHECK(missed);
  }
}

TEST_CASE("what rare_draws refuses") {
  const auto refusal = [](const std::string& spec, Direction direction) {
    return accountant("rare_draws")->refusal(loss_from(spec, direction)).has_value();
  };
  CHECK(refusal("gaussian(sigma=1)", Direction::remove));
  CHECK(refusal("laplace(scale=1)", Direction::remove));
  CHECK(refusal(sampled("1", "0.01", "10"), Direction::add));
  CHECK(refusal(sampled("1", "0.01", "10") + " * gaussian(sigma=3)", Direction::remove));
  CHECK_FALSE(refusal(sampled("1", "0.01", "10"), Direction::remove));
  // the bulk: no gap
  const Enclosure bulk = delta_by("rare_draws", sampled("1", "0.01", "1000"), 1, 12);
  CHECK_FALSE(bulk.remark.empty());
  const Enclosure negative = delta_by("rare_draws", sampled("22", "0.02", "1"), -1, 12);
  CHECK_FALSE(negative.remark.empty());
}
