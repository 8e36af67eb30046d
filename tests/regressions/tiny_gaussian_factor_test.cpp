// Whether a composition has a Gaussian factor was decided by the double of its mean, which is 0 for
// gaussian(sigma=1e200): 1 was subtracted from a product whose bounds hold without Gaussian factors
// only.
#include <doctest/doctest.h>

#include "accountants/bent/bent_contour.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

BentProblem problem_of(const char* spec) {
  return BentProblem(ComposedLoss(parse_spec(spec), Direction::remove));
}

BentPlan plan_of(const BentProblem& problem) {
  return plan_bent_contour(problem, 2, {12, estimate_log_delta(problem, 2)}, 100);
}

}  // namespace

TEST_CASE("a Gaussian factor far below double's range is one") {
  const BentProblem alone = problem_of("poisson(gaussian(sigma=0.5), rate=1e-6)");
  const BentPlan plan = plan_of(alone);
  REQUIRE(plan.feasible);
  REQUIRE(plan.subtract_one);
  CHECK_NOTHROW(BentContour(alone, plan));

  const BentProblem both =
      problem_of("poisson(gaussian(sigma=0.5), rate=1e-6) * gaussian(sigma=1e200)");
  REQUIRE(both.gaussian_mean != 0);
  REQUIRE(estimate(both.gaussian_mean) == 0);
  CHECK_FALSE(plan_of(both).subtract_one);
  // A plan is not believed: the hypothesis is checked where the bounds are made.
  CHECK_THROWS_AS(BentContour(both, plan), std::domain_error);
}
