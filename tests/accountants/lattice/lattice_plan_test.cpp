// Which values on a period are summed: bounds that are estimated in doubles choose as the factors'
// own bounds do.
#include "accountants/plan/lattice_plan.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "support/random.hpp"

using namespace plaudit;
using test::Random;

namespace {

proof::LawOnLattice<Ball> random_law(Random& random) {
  proof::LawOnLattice<Ball> law;
  law.offset = {Ball(0), Rational(0)};
  long index = random.integer(-6, 2);
  const long points = random.integer(1, 5);
  for (long i = 0; i < points; ++i) {
    law.indices.push_back(index);
    law.masses.emplace_back(Rational(random.integer(1, 40), 40 * points));
    index += random.integer(1, 4);
  }
  return law;
}

}  // namespace

TEST_CASE("estimates of bounds choose the ranges that the factors' own bounds choose") {
  const PrecisionScope scope(96);
  Random random(2026);
  proof::Budget budget = proof::unlimited_budget();
  std::size_t compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Rational mesh(1, random.integer(2, 40));
    const long period = random.integer(200, 4000);
    LatticeTilt plan;
    plan.tilt = random.uniform(0.1, 3);
    plan.log_delta = random.uniform(-40, -3);
    const proof::PeriodLine<Ball> line(Ball(mesh), Ball(plan.tilt), period);
    std::vector<proof::LawOnLattice<Ball>> laws;
    for (long law = random.integer(1, 3); law > 0; --law) laws.push_back(random_law(random));
    LatticeFactors factors;
    RangeLaws known;
    for (const proof::LawOnLattice<Ball>& law : laws) {
      const long times = law.masses.size() == 1 ? 0 : random.integer(1, 3);
      const auto count = static_cast<std::uint64_t>(random.integer(1, 400));
      factors.push_back(proof::lattice_factor(law, count, times, line, budget));
      known.push_back({&law, times});
    }
    const RangeLimits limits{period, 1e9};
    const double epsilon = random.uniform(-2, 6);
    const RangePlan own =
        plan_ranges(factors, RangeLaws(factors.size()), line, plan, epsilon, 20, limits);
    const RangePlan estimated = plan_ranges(factors, known, line, plan, epsilon, 20, limits);
    CAPTURE(trial);
    REQUIRE(own.ranges.size() == estimated.ranges.size());
    for (std::size_t i = 0; i < own.ranges.size(); ++i) {
      CHECK(own.ranges[i].last == estimated.ranges[i].last);
      CHECK(own.ranges[i].summed == estimated.ranges[i].summed);
    }
    compared += own.ranges.size();
  }
  CHECK(compared > 300);
}
