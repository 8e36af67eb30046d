#include "lib/analysis/crossing.hpp"

#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::relative_width;
using plaudit::test::trials;

namespace {

/// e^{-a x}, and with noise: a ball of relative radius `blur` that contains it, off-centre.
struct Decay {
  double a;
  double blur = 0;
  int* calls = nullptr;
  Ball operator()(const Ball& x) const {
    if (calls != nullptr) ++*calls;
    const Ball y = exp(-Ball(a) * x);
    return blur == 0 ? y : widened(y * Ball(1 + blur / 2), y * Ball(blur));
  }
};

}  // namespace

TEST_CASE("a smooth curve is inverted to the wanted width in few calls") {
  Random random(51);
  for (int i = 0; i < trials(150); ++i) {
    const double a = std::exp(random.uniform(-8, 8));
    const double log_c = -std::exp(random.uniform(-6, 8));
    const long bits = random.integer(20, 400);
    const PrecisionScope scope(64);
    const Ball target = exp(Ball(log_c)).middle();
    int calls = 0;
    const Decay f{a, 0, &calls};
    const double near = -log_c / a * std::exp(random.uniform(-2, 2));
    const Crossing found = crossing(f, target, Ball(0), Ball(near), bits);
    const PrecisionScope finer(2000);
    const Ball exact = -log(target) / Ball(a);
    CAPTURE(a);
    CAPTURE(log_c);
    CAPTURE(bits);
    CHECK(certainly_less_equal(found.lower, exact));
    CHECK(certainly_greater_equal(found.upper, exact));
    CHECK(relative_width(found.lower, found.upper) <= std::ldexp(1.0, static_cast<int>(-bits)));
    CHECK(calls <= 20);
  }
}

TEST_CASE("wide values of f give a wide, true and not hopeless enclosure") {
  Random random(52);
  for (int i = 0; i < trials(150); ++i) {
    const double a = std::exp(random.uniform(-4, 4));
    const double blur = std::exp(random.uniform(-30, -0.5));
    const PrecisionScope scope(128);
    const Ball target = exp(Ball(-random.uniform(1, 50))).middle();
    int calls = 0;
    const Crossing found =
        crossing(Decay{a, blur, &calls}, target, Ball(0), Ball(random.uniform(0, 10)), 60);
    const Ball exact = -log(target) / Ball(a);
    CAPTURE(a);
    CAPTURE(blur);
    CHECK(certainly_less_equal(found.lower, exact));
    CHECK(certainly_greater_equal(found.upper, exact));
    // d x = d f / (a f); what the search may add is a small factor
    CHECK((found.upper - found.lower).upper_double() <= 12 * blur / a + 1e-15 / a);
    CHECK(calls <= 120);
  }
}

TEST_CASE("flat, jumping and constant functions") {
  const PrecisionScope scope(64);
  const Ball half(0.5);
  SUBCASE("at most c already at the floor") {
    const Crossing found =
        crossing([](const Ball&) { return Ball(0.25); }, half, Ball(2), Ball(3), 50);
    CHECK_CONTAINS(found.lower, 2);
    CHECK_CONTAINS(found.upper, 2);
  }
  SUBCASE("equal to c at the floor") {
    const Crossing found =
        crossing([](const Ball&) { return Ball(0.5); }, half, Ball(2), Ball(3), 50);
    CHECK_CONTAINS(found.upper, 2);
  }
  SUBCASE("above c everywhere: no upper end, but far lower ones") {
    const Crossing found =
        crossing([](const Ball&) { return Ball(0.75); }, half, Ball(0), Ball(3), 50);
    CHECK_FALSE(found.upper.is_finite());
    CHECK(certainly_greater_equal(found.lower, Ball(0)));
  }
  SUBCASE("a jump over c") {
    const auto step = [](const Ball& x) {
      if (certainly_less(x, Ball(1))) return Ball(0.75);
      if (certainly_greater_equal(x, Ball(1))) return Ball(0);
      return widened(Ball(0.375), Ball(0.375));
    };
    const Crossing found = crossing(step, half, Ball(0), Ball(0.1), 50);
    CHECK(certainly_less_equal(found.lower, Ball(1)));
    CHECK(certainly_greater_equal(found.upper, Ball(1)));
    CHECK(relative_width(found.lower, found.upper) <= 1e-14);
  }
  SUBCASE("equal to c on a plateau that f never leaves: x* is where it begins") {
    const auto plateau = [](const Ball& x) { return max(Ball(1) - x, Ball(0.5)); };
    const Crossing found = crossing(plateau, half, Ball(0), Ball(2), 30);
    CHECK(certainly_less_equal(found.lower, half));
    CHECK(certainly_greater_equal(found.upper, half));
  }
  SUBCASE("c = 0 and negative c") {
    const auto line = [](const Ball& x) { return Ball(1) - x; };
    for (const double c : {0.0, -1.0}) {
      const Crossing found = crossing(line, Ball(c), Ball(0), Ball(5), 50);
      CHECK(certainly_less_equal(found.lower, Ball(1 - c)));
      CHECK(certainly_greater_equal(found.upper, Ball(1 - c)));
      CHECK(relative_width(found.lower, found.upper) <= 1e-14);
    }
  }
}

TEST_CASE("useless values decide nothing and cost little") {
  const PrecisionScope scope(64);
  int calls = 0;
  const auto counted = [&](const Ball& value) {
    return [&calls, value](const Ball&) {
      ++calls;
      return value;
    };
  };
  for (const Ball& value : {Ball(std::nan("")), widened(Ball(0), Ball(1)), positive_infinity()}) {
    calls = 0;
    const Crossing found = crossing(counted(value), Ball(0.5), Ball(0), Ball(3), 50);
    CHECK(certainly_less_equal(found.lower, found.upper));
    CHECK_FALSE(found.upper.is_finite());
    CHECK(calls < 2000);
  }
}

TEST_CASE("a bad guess only costs time") {
  const PrecisionScope scope(64);
  const Ball target = exp(Ball(-10)).middle();
  for (const Ball& guess :
       {Ball(0), Ball(1e-200), Ball(1e10), Ball(-5), Ball(std::nan("")), positive_infinity()}) {
    const Crossing found = crossing(Decay{1}, target, Ball(0), guess, 50);
    CAPTURE(guess.to_string());
    CHECK(certainly_less_equal(found.lower, -log(target)));
    CHECK(certainly_greater_equal(found.upper, -log(target)));
    CHECK(relative_width(found.lower, found.upper) <= 1e-14);
  }
}

TEST_CASE("the time limit is honoured") {
  const WorkLimit limit(0);
  CHECK_THROWS_AS(crossing(Decay{1}, Ball(0.5), Ball(0), Ball(1), 50), WorkLimitReached);
}

TEST_CASE("the ends are certain for every curve within the balls") {
  Random random(64);
  for (int i = 0; i < trials(60); ++i) {
    const PrecisionScope scope(80);
    const double blur = std::exp(random.uniform(-12, -1));
    // off-centre, so that the crossing of the middles lies to one side of the true one
    const auto curve = [&](const Ball& x) { return Decay{1, blur}(x); };
    const Ball target(std::exp(-random.uniform(0.5, 9)));
    const Crossing found = crossing(curve, target, Ball(0), Ball(random.uniform(0, 9)), 30);
    CAPTURE(blur);
    CHECK((found.lower.is_exact_zero() || certainly_greater(curve(found.lower), target)));
    CHECK((!found.upper.is_finite() || certainly_less_equal(curve(found.upper), target)));
    CHECK(certainly_less_equal(found.lower, -log(target)));
    CHECK(certainly_greater_equal(found.upper, -log(target)));
  }
}

TEST_CASE("thousands of digits take a few calls at the full precision") {
  for (const double c : {1e-5, 0.7, 1e-300}) {
    for (const long bits : {1000L, 2000L, 20'000L}) {
      const PrecisionScope scope(64);
      const Ball target(c);
      int calls = 0;
      int full_calls = 0;
      const auto f = [&](const Ball& x) {
        ++calls;
        if (working_precision() >= bits + 64) ++full_calls;
        return exp(-x * x - x);
      };
      const Crossing found = crossing(f, target, Ball(0), Ball(3), bits);
      CAPTURE(c);
      CAPTURE(bits);
      CHECK(calls <= 40);
      CHECK(full_calls <= 8);
      const PrecisionScope finer(bits + 200);
      // x^2 + x = -log c
      const Ball exact = sqrt(Ball(0.25) - log(Ball(c))) - Ball(0.5);
      CHECK(certainly_less_equal(found.lower, exact));
      CHECK(certainly_greater_equal(found.upper, exact));
      CHECK(certainly_less_equal(found.upper - found.lower, ldexp(found.upper, -bits)));
    }
  }
}

TEST_CASE("many bits: a curve that needs more precision than the search begins with") {
  // e^{2000} (1 - x) by way of e^{2000}: at 128 bits nothing but noise
  const auto f = [](const Ball& x) {
    const Ball big = exp(Ball(2000));
    return (big + (Ball(1) - x)) - big;
  };
  const long bits = 4000;
  const PrecisionScope scope(8000);
  const Crossing found = crossing(f, Ball(0.25), Ball(0), Ball(0.1), bits);
  CHECK(certainly_less_equal(found.lower, Ball(0.75)));
  CHECK(certainly_greater_equal(found.upper, Ball(0.75)));
  CHECK(certainly_less_equal(found.upper - found.lower, ldexp(Ball(1), -bits + 8)));
}

TEST_CASE("next to a crossing: both ends are certain, or nothing is said") {
  const PrecisionScope scope(200);
  const auto f = [](const Ball& x) { return exp(-x); };
  const Ball root = log(Ball(3));
  const Ball third = Ball(1) / Ball(3);
  const auto found = crossing_next_to(f, third, Ball(0), root.middle(), 60);
  REQUIRE(found);
  CHECK(certainly_less(found->lower, root));
  CHECK(certainly_greater(found->upper, root));
  CHECK(certainly_less(found->upper - found->lower, ldexp(found->upper, -60)));
  // roots that are off by more than a quarter of the width, to both sides
  CHECK(!crossing_next_to(f, third, Ball(0), (root + ldexp(root, -61)).middle(), 60));
  CHECK(!crossing_next_to(f, third, Ball(0), (root - ldexp(root, -61)).middle(), 60));
  // a function that is not known so well
  const auto wide = [](const Ball& x) { return widened(exp(-x), ldexp(Ball(1), -50)); };
  CHECK(!crossing_next_to(wide, third, Ball(0), root.middle(), 60));
  CHECK(crossing_next_to(wide, third, Ball(0), root.middle(), 40));
  CHECK(!crossing_next_to(f, third, Ball(2), root.middle(), 60));
  CHECK(!crossing_next_to(f, third, Ball(0), positive_infinity(), 60));
}
