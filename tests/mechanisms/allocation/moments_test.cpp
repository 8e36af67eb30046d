// Moments of the mean of lognormal variables: against one and two of them by other means, and each
// error of the Mellin transform.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/allocation/allocation_estimate.hpp"
#include "mechanisms/allocation/allocation_moments.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// E (S/2)^w: log(S/2) = -a^2/2 + a u/sqrt(2) + log cosh(a v/sqrt(2)), u and v independent.
ComplexBall moment_of_two(const Rational& squared_rate, const ComplexBall& w) {
  const PrecisionScope scope(220);
  const Ball a2(squared_rate);
  const Ball half_rate = sqrt(ldexp(a2, -1));
  const Ball step = Ball(1) / Ball(64);
  const double reach = 16 + std::fabs(w.real().estimate()) * half_rate.estimate();
  ComplexBall sum;
  const long last = static_cast<long>(64 * reach);
  for (long l = -last; l <= last; ++l) {
    const Ball v = step * Ball(l);
    sum += ComplexBall(normal_density(v) * step) * exp(w * ComplexBall(log(cosh(half_rate * v))));
  }
  return sum * exp(ComplexBall(ldexp(a2, -1)) * (ComplexBall(ldexp(Ball(1), -1)) * w * w - w));
}

ComplexBall of_one(const Rational& squared_rate, const ComplexBall& w) {
  return exp(ComplexBall(ldexp(Ball(squared_rate), -1)) * w * (w - ComplexBall(1)));
}

bool near(const ComplexBall& value, const ComplexBall& truth, double error) {
  return overlaps(widened(value, Ball(error)), truth);
}

using Line = AllocationMoments::Line;

/// A line for few digits, laid worse than that at one place.
Line coarse_line(Random& random, const Rational& squared_rate, double theta, long order) {
  Line line;
  line.order = static_cast<std::uint64_t>(order);
  line.theta = theta;
  line.units_of_rate = random.integer(1, 3);
  line.unit = squared_rate / line.units_of_rate;
  while (estimate(line.unit) > 0.08) {
    line.units_of_rate *= 2;
    line.unit = squared_rate / line.units_of_rate;
  }
  const double step = random.uniform(0.25, 1.3);
  line.units_of_step = std::max(1L, static_cast<long>(step / estimate(line.unit)));
  line.step = line.unit * line.units_of_step;
  const double h = estimate(line.step);
  line.first = static_cast<long>((random.one_in(3) ? random.uniform(-9, -1) : -40) / h);
  line.last = static_cast<long>((random.one_in(3) ? random.uniform(0.1, 3) : 12) / h);
  line.nats_of_transform = 60;
  return line;
}

/// How many of some random values do not contain the truth: of real moments, or of lines.
int missed_by_moments(bool on_axis, int cases, int enough = all_of_them) {
  Random random(on_axis ? 3 : 4);
  int count = 0;
  for (int i = 0; i < cases && count < enough; ++i) {
    const Rational rate(1, random.integer(1, 12));
    const Rational squared_rate = rate * rate;
    const AllocationMoments moments(squared_rate, 1);
    const double r = random.uniform(-2, 2);
    const long order = static_cast<long>(std::max(0.0, std::ceil(r + 0.6))) + random.integer(0, 1);
    const double theta = on_axis || random.one_in(3) ? 0 : random.uniform(0, 1.4);
    const Line line = coarse_line(random, squared_rate, theta, order);
    const PrecisionScope scope(128);
    if (on_axis) {
      const auto value = moments.by_nodes(Ball(r), line);
      const Ball truth = of_one(squared_rate, ComplexBall(Ball(r))).real();
      if (value && !contains(*value, truth.middle())) ++count;
      continue;
    }
    const Ball step(random.uniform(0, 4));
    const Ball axis = of_one(squared_rate, ComplexBall(Ball(r))).real().upper();
    const LineValues values = moments.by_nodes(Ball(r), step, 3, line, axis);
    for (std::size_t k = 0; k < 3; ++k) {
      const ComplexBall w(Ball(r), -(step * Ball(static_cast<long>(k))));
      if (!overlaps(values.values[k], of_one(squared_rate, w))) {
        ++count;
        break;
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("moments of one and of two") {
  const PrecisionScope scope(128);
  for (const char* text : {"1/25", "1", "6.25"}) {
    const Rational squared_rate = parse_rational(text);
    const AllocationMoments two(squared_rate, 2);
    for (const double r : {-12.5, -1.25, -0.25, 0.5, 1.75, 4.5}) {
      INFO("squared rate ", std::string(text), ", r ", r);
      const Ball axis = two.on_axis(Ball(r), 50);
      const ComplexBall truth = moment_of_two(squared_rate, ComplexBall(Ball(r)));
      CHECK(near(ComplexBall(axis), truth, 0));
      CHECK(axis.radius_double() < std::exp(-48) * axis.upper_double());
      const LineValues line = two.on_line(Ball(r), Ball(0.75), 12, 50);
      for (const std::size_t k : {0U, 1U, 5U, 11U}) {
        const ComplexBall w(Ball(r), Ball(-0.75 * static_cast<double>(k)));
        CHECK(near(line.values[k], moment_of_two(squared_rate, w), 0));
        CHECK(line.values[k].real().radius_double() < 1e-20 * axis.upper_double());
      }
      CHECK(near(two.at(ComplexBall(Ball(r), Ball(1.5)), 50),
                 moment_of_two(squared_rate, ComplexBall(Ball(r), Ball(1.5))), 0));
      CHECK(near(two.at(ComplexBall(Ball(r), Ball(-1.5)), 50),
                 moment_of_two(squared_rate, ComplexBall(Ball(r), Ball(-1.5))), 0));
    }
  }
}

TEST_CASE("integer moments by two ways") {
  const PrecisionScope scope(128);
  for (const std::uint64_t steps : {2U, 3U, 17U, 100'000U}) {
    const AllocationMoments moments(Rational(4, 9), steps);
    for (const int m : {2, 3, 7}) {
      // a ball with a radius is not known to be an integer, so the transform is asked
      const Ball value = moments.on_axis(Ball(m), 60);
      const Ball exact = moments.bounds().integer_moment(static_cast<std::uint64_t>(m));
      INFO(steps, " steps, m ", m);
      CHECK(overlaps(value, exact));
      CHECK(value.relative_accuracy_bits() > 80);
    }
  }
}

TEST_CASE("elementary bounds are above the moments") {
  const PrecisionScope scope(96);
  for (const std::uint64_t steps : {2U, 5U, 300U}) {
    const AllocationMoments moments(Rational(9, 4), steps);
    for (const double r : {-30.0, -3.5, -0.5, 0.25, 0.75, 1.5, 3.25}) {
      INFO(steps, " steps, r ", r);
      CHECK(certainly_less_equal(moments.on_axis(Ball(r), 30).lower(),
                                 moments.bounds().elementary_bound(Ball(r))));
    }
  }
}

TEST_CASE("moments fall along vertical lines at least as the Gaussian factor") {
  const PrecisionScope scope(96);
  for (const std::uint64_t steps : {1U, 2U, 40U}) {
    const AllocationMoments moments(Rational(1, 4), steps);
    for (const double r : {-2.5, 0.5, 1.5}) {
      const Ball axis = moments.on_axis(Ball(r), 40);
      for (const double y : {0.5, 2.0, 8.0}) {
        const Ball size = abs(moments.at(ComplexBall(Ball(r), Ball(y)), 40));
        CHECK(certainly_less_equal(size.lower(),
                                   (axis * exp(moments.bounds().log_decay(Ball(y)))).upper()));
      }
    }
  }
}

TEST_CASE("values contain the truth, and not without one of their errors") {
  for (const bool on_axis : {true, false}) {
    INFO("on the axis ", on_axis);
    CHECK(missed_by_moments(on_axis, 60) == 0);
    for (const char* term :
         {"allocation.aliases", "allocation.nodes_on_the_left", "allocation.nodes_on_the_right"}) {
      const Scaled left_out(term, 0);
      INFO(std::string(term));
      CHECK(missed_by_moments(on_axis, 60, 1) > 0);
    }
  }
}

// A rate that underflows once let the search of a strip run forever.
TEST_CASE("random allocation: estimates of vanishing rates are made") {
  for (const double rate : {0.0, 1e-300, 1e-9}) {
    const AllocationEstimate estimate(rate, 5);
    INFO("rate ", rate);
    CHECK(std::isfinite(estimate.at(0.5).value));
  }
}

TEST_CASE("between the moments of integers") {
  const PrecisionScope scope(128);
  const struct {
    const char* squared_rate;
    std::uint64_t steps;
    double r;
  } cases[] = {{"1/4", 2, 2.25},
               {"1/100", 800, 3.5},
               {"1/100", 800, 40.25},
               {"1/100", 20, 35.5},
               {"1", 30, 17.75}};
  for (const auto& each : cases) {
    CAPTURE(each.r);
    const AllocationMoments moments(parse_rational(each.squared_rate), each.steps);
    const Ball between = moments.bounds().between_integers(Ball(each.r));
    const Ball truth = moments.on_axis(Ball(each.r), 60);
    CHECK(contains(between, truth.middle()));
  }
  // An order that is not known to be on one side of 1, before which A is less than 1.
  const AllocationMoments few(parse_rational("1"), 3);
  const Ball around_one = widened(Ball(0.75), Ball(0.5));
  CHECK(contains(few.bounds().between_integers(around_one), few.on_axis(Ball(0.5), 60).middle()));
  // Of orders for which there are no nodes.
  const AllocationMoments many(parse_rational("1/100"), 1000);
  const Ball far = many.on_axis(Ball(700.5), 40);
  CHECK(far.radius_double() < 1e-4 * far.upper_double());
  CHECK(certainly_less(Ball(5), far));  // about e^(700.5^2 / 2e5)
  CHECK(certainly_less(far, Ball(100)));
}

TEST_CASE("estimates of hardly any noise have steps, and announce what is too much for them") {
  // at sigma = 1e-5 the step of a rule was 0, and its points had no end
  const AllocationEstimate estimate(1e5, 3);
  const WorkShare share(5);
  CHECK(std::isfinite(estimate.log_psi(0, 0)));
  CHECK_THROWS_AS(estimate.log_psi(3, 0), WorkShareReached);
}
