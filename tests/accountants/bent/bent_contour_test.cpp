// The bent contour against truth that does not come from it: the closed form of one step, one- and
// two-factor quadratures by other means, and against itself on other contours.
#include "accountants/bent/bent_contour.hpp"
#include "accountants/bent/bent_plan.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "mechanisms/language/spec.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/reference_table.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

bool band_holds(const Enclosure& band, const Ball& truth) {
  return certainly_less_equal(band.lower, truth) && certainly_less_equal(truth, band.upper);
}

Ball exactly(const std::string& decimal) {
  const PrecisionScope scope(2000);
  return Ball(parse_rational(decimal));
}

std::vector<Rational> list(const std::string& text) {
  std::vector<Rational> numbers;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    numbers.push_back(parse_rational(text.substr(from, to - from)));
    from = to + 1;
  }
  return numbers;
}

ComposedLoss loss_of_spec(const char* spec, Direction direction) {
  return ComposedLoss(parse_spec(spec), direction);
}

BentProblem poisson_problem(const char* sigma, const char* rate, std::uint64_t count,
                            Direction direction) {
  BentProblem problem;
  const Rational q = parse_rational(rate);
  problem.mixtures.push_back({{parse_rational(sigma), {0, 1}, {Rational(1 - q), q}}, count});
  problem.direction = direction;
  return problem;
}

}  // namespace

TEST_CASE("one step: the closed form P(L > eps) - e^eps Q(L > eps)") {
  struct Case {
    const char *sigma, *rate, *epsilon;
    Direction direction;
  };
  for (const Case& c :
       {Case{"0.65", "0.01", "1", Direction::remove},
        Case{"0.65", "0.01", "-0.005", Direction::remove},
        Case{"0.65", "0.01", "12", Direction::remove},
        Case{"0.65", "0.01", "0.005", Direction::add}, Case{"0.3", "1e-4", "5", Direction::remove},
        Case{"1", "0.3", "0.2", Direction::add}, Case{"1.5", "0.1", "0.5", Direction::remove}}) {
    const BentProblem problem = poisson_problem(c.sigma, c.rate, 1, c.direction);
    const auto loss = gaussian_mixture_loss(problem.mixtures[0].mixture, c.direction);
    for (const double digits : {10.0, 24.0}) {
      const BentContour contour(problem, exactly(c.epsilon), digits, kUnknown);
      const Enclosure band = contour.delta(parse_rational(c.epsilon));
      const PrecisionScope scope(400);
      const Ball truth = loss->delta(Ball(parse_rational(c.epsilon)));
      INFO(c.sigma, " ", c.rate, " at ", c.epsilon, ": ", show(band.lower), " ", show(band.upper));
      CHECK(band_holds(band, truth));
      CHECK(relative_width(band.lower, band.upper) < std::pow(10, -digits));
    }
  }
}

TEST_CASE("two factors: quadratures by another arithmetic") {
  for (const auto& row : reference_table("bent_contour_reference.tsv")) {
    BentProblem problem;
    const Rational mean = parse_rational(row[3]);
    problem.direction = row[4] == "add" ? Direction::add : Direction::remove;
    problem.mixtures.push_back(
        {normalised({parse_rational(row[0]), list(row[1]), list(row[2])}), mean == 0 ? 2u : 1u});
    problem.gaussian_mean = mean;
    INFO(row[0], " ", row[1], " ", row[2], " ", row[3], " ", row[4], " ", row[5]);
    const BentContour contour(problem, exactly(row[5]), 20, kUnknown);
    const Enclosure band = contour.delta(parse_rational(row[5]));
    const PrecisionScope scope(400);
    const Ball truth = printed(row[6], 25);
    INFO(show(band.lower), " ", show(band.upper), " ", row[6]);
    CHECK(certainly_less_equal(band.lower, truth.upper()));
    CHECK(certainly_less_equal(truth.lower(), band.upper));
    CHECK(relative_width(band.lower, band.upper) < 1e-19);
  }
}

TEST_CASE("losses from specs, equal factors apart or as a power") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const Rational epsilon = direction == Direction::remove ? Rational(3) : Rational(1, 50);
    const ComposedLoss power =
        loss_of_spec("poisson(gaussian(sigma=0.65), rate=0.01)^5", direction);
    REQUIRE(BentContour::applies(power));
    const BentContour together(power, Ball(epsilon), 14, kUnknown);
    BentProblem apart = poisson_problem("0.65", "0.01", 2, direction);
    apart.mixtures.push_back({apart.mixtures[0].mixture, 3});
    const BentContour separately(apart, Ball(epsilon), 14, kUnknown);
    const Enclosure a = together.delta(epsilon), b = separately.delta(epsilon);
    CHECK(relative_width(a.lower, a.upper) < 1e-13);
    CHECK(relative_width(b.lower, b.upper) < 1e-13);
    CHECK(certainly_less_equal(a.lower, b.upper));
    CHECK(certainly_less_equal(b.lower, a.upper));
  }
  CHECK_FALSE(BentContour::applies(loss_of_spec("gaussian(sigma=1)^3", Direction::add)));
  CHECK_THROWS_AS(
      BentContour(loss_of_spec("gaussian(sigma=1)", Direction::add), Ball(1), 10, kUnknown),
      std::domain_error);
}

TEST_CASE("a search goes on from an earlier plan, also from one that was made again") {
  // Plans that tightening had made again had no place in the search: the next one read beyond it.
  const BentProblem problem = poisson_problem("0.65", "0.01", 5, Direction::remove);
  const BentGoal goal{30, estimate_log_delta(problem, 3)};
  const BentPlan first = plan_bent_contour(problem, 3, goal, 40);
  REQUIRE(first.feasible);
  const BentPlan again = replan_bent_contour(problem, 3, {35, goal.log_delta}, first);
  REQUIRE(again.feasible);
  BentPlan without = again;
  without.place.clear();
  const Enclosure alone = BentContour(problem, Ball(3), 14, kUnknown).delta(Ball(3));
  for (const BentPlan& start : {first, again, without}) {
    const Enclosure band = BentContour(problem, Ball(3), 14, kUnknown, &start).delta(Ball(3));
    CHECK(relative_width(band.lower, band.upper) < 1e-13);
    CHECK(certainly_less_equal(alone.lower, band.upper));
    CHECK(certainly_less_equal(band.lower, alone.upper));
  }
}

TEST_CASE("precisions and neighbouring epsilons overlap") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const BentProblem problem = poisson_problem("0.65", "0.01", 10, direction);
    const bool removes = direction == Direction::remove;
    const Rational at = removes ? Rational(2) : Rational(1, 20);
    const BentContour coarse(problem, Ball(at), 8, kUnknown), fine(problem, Ball(at), 25, kUnknown);
    for (const int percent : {70, 90, 100, 115, 140}) {
      const Rational epsilon = at * Rational(percent, 100);
      const Enclosure a = coarse.delta(epsilon), b = fine.delta(epsilon);
      INFO(percent, " ", show(a.lower), " ", show(a.upper), " ", show(b.lower), " ", show(b.upper));
      CHECK(certainly_less_equal(a.lower, b.upper));
      CHECK(certainly_less_equal(b.lower, a.upper));
      if (percent == 100) CHECK(relative_width(b.lower, b.upper) < 1e-25);
    }
  }
}

TEST_CASE("trivial ranges") {
  // remove: delta = 1 - e^eps for eps <= -n lambda; add: delta = 0 for eps >= n lambda
  const BentContour remove(poisson_problem("0.65", "0.01", 2, Direction::remove), Ball(1), 10,
                           kUnknown);
  const Enclosure below = remove.delta(Rational(-1));
  const PrecisionScope scope(200);
  CHECK(band_holds(below, -expm1(Ball(-1))));
  CHECK(relative_width(below.lower, below.upper) < 1e-20);
  const BentContour add(poisson_problem("0.65", "0.01", 2, Direction::add), Ball(1), 10, kUnknown);
  const Enclosure above = add.delta(Rational(1));
  CHECK(above.lower.is_exact_zero());
  CHECK(above.upper.is_exact_zero());
  // an epsilon too wide to tell the ranges apart
  const Enclosure wide = remove.delta(widened(Ball(0), Ball(1)));
  CHECK(certainly_less_equal(wide.lower, remove.delta(Rational(1)).lower));
  CHECK(certainly_less_equal(-expm1(Ball(-1)), wide.upper));
}

TEST_CASE("each error term is needed: scaled to zero, a poor plan misses the truth") {
  const BentProblem problem = poisson_problem("0.65", "0.01", 2, Direction::remove);
  const BentContour good(problem, Ball(1), 25, kUnknown);
  const Enclosure fine = good.delta(Rational(1));
  const Ball truth = fine.lower;
  BentPlan plan = BentContour(problem, Ball(1), 14, kUnknown).plan();
  const auto check = [&](const BentPlan& poor, const char* name) {
    const BentContour contour(problem, poor);
    const Enclosure honest = contour.delta(Rational(1));
    INFO(name, ": ", show(honest.lower), " ", show(honest.upper), " ", show(truth));
    CHECK(band_holds(honest, truth));
    sabotage::scale(name, 0);
    const Enclosure broken = contour.delta(Rational(1));
    sabotage::clear();
    INFO(show(broken.lower), " ", show(broken.upper));
    CHECK_FALSE(band_holds(broken, truth));
  };
  BentPlan poor = plan;
  poor.per_octave = plan.per_octave / 2;
  poor.nodes = plan.nodes / 2 + 1;
  check(poor, "bent.quadrature_z");
  poor = plan;
  poor.nodes = plan.nodes * 7 / 10;
  check(poor, "bent.truncation");
  poor = plan;
  poor.grids[0].step *= 2;
  poor.grids[0].first /= 2;
  poor.grids[0].last /= 2;
  check(poor, "bent.quadrature_y");
  poor = plan;
  poor.grids[0].last = plan.grids[0].last * 6 / 10;
  check(poor, "bent.tails");
}

TEST_CASE("hypotheses that fail are refused") {
  const BentProblem problem = poisson_problem("0.65", "0.01", 2, Direction::remove);
  const BentPlan plan = BentContour(problem, Ball(1), 10, kUnknown).plan();
  const auto refused = [&](auto&& change) {
    BentPlan bad = plan;
    change(bad);
    CHECK_THROWS_AS(BentContour(problem, bad), std::domain_error);
  };
  refused([](BentPlan& p) { p.center -= 5; });                  // crosses left of the pole
  refused([](BentPlan& p) { p.half_width = 1.01 * p.angle; });  // the strip leaves g > 0
  refused([](BentPlan& p) { p.angle += 0.3; });                 // At grows on the outer hyperbola
  refused([](BentPlan& p) { p.shapes[0].half_width = p.shapes[0].rise; });
  refused([](BentPlan& p) { p.shapes[0].rise = 2.9; });   // reaches the zero of f
  refused([](BentPlan& p) { p.shapes[0].slope = 1.2; });  // phi does not decay
  refused([](BentPlan& p) { p.grids[0].right = 1; });     // the end is too near
  refused([](BentPlan& p) { p.grids[0].left = -1; });
}
