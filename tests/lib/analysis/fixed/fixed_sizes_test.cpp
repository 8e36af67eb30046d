// Sums of sizes in fixed point against logarithms and exponentials of many bits.
#include "lib/analysis/fixed/fixed_sizes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lib/balls/precision.hpp"
#include "tests/support/line_points.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// On the axis nothing turns.
LinePoints random_setting(Random& random, std::size_t size) {
  LinePoints line = random_line(random, size, 2);
  if (line.real) line.s = Ball(0);
  return line;
}

Ball true_sum(const LinePoints& line) {
  const PrecisionScope scope(700);
  Ball sum;
  for (std::size_t j = 0; j < line.f.size(); ++j) {
    const ComplexBall exponent =
        ComplexBall(line.r, line.s) * log(line.f[j]) - ldexp(square(line.at(j)), -1);
    sum += exp(exponent.real());
  }
  return sum;
}

}  // namespace

TEST_CASE("fixed sums of sizes: exact numbers, one and many") {
  Random random(91);
  int made = 0;
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(300);
    const LinePoints s = random_setting(random, i % 10 == 0 ? 50 : 1);
    const auto sum = fixed_sum_of_sizes(s.f, s.points, s.r, s.s, 80);
    if (!sum) continue;
    ++made;
    const Ball truth = true_sum(s);
    CHECK(contains(*sum, truth));
    CHECK(sum->radius().estimate_log() - truth.estimate_log() < 0.693 * (3 - 80));
  }
  CHECK(made > 2500);
}

TEST_CASE("fixed sums of sizes: what adding up loses") {
  // all of the same size: each is shifted down, and loses a part of a unit
  Random random(93);
  for (int i = 0; i < 20; ++i) {
    const PrecisionScope scope(300);
    LinePoints s = random_setting(random, 1);
    s.f.assign(2000, ComplexBall(Ball(std::exp(random.uniform(-1, 1))), Ball(0)));
    s.points = {0x1p-30, 0, 5};
    s.r = Ball(1);
    s.s = Ball(0);
    const auto sum = fixed_sum_of_sizes(s.f, s.points, s.r, s.s, 80);
    REQUIRE(sum);
    CHECK(contains(*sum, true_sum(s)));
  }
}

TEST_CASE("fixed sums of sizes: squares far above logarithms, two products that are cut") {
  // each product loses up to a unit of 2^(H-W), and where r Re L < 0 < s Im L both the same way
  Random random(94);
  int made = 0;
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(300);
    const double angle = random.uniform(0.1, 1.5);
    const double size = std::exp(random.uniform(0.1, 1));
    const LinePoints s{{ComplexBall(Ball(size * std::cos(angle)), Ball(size * std::sin(angle)))},
                       {short_double(random.uniform(0.1, 0.5)),
                        short_double(random.uniform(0.1, 2)), random.integer(5000, 20000)},
                       Ball(-random.uniform(1, 4)),
                       Ball(random.uniform(1, 4)),
                       false};
    const auto sum = fixed_sum_of_sizes(s.f, s.points, s.r, s.s, 80);
    if (!sum) continue;
    ++made;
    const PrecisionScope more(900);
    CHECK(contains(*sum, true_sum(s)));
  }
  CHECK(made > 2500);
}

TEST_CASE("fixed sums of sizes: the ends of balls") {
  Random random(92);
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(300);
    const WideLine line = widened_line(random, random_setting(random, 1), static_cast<Wide>(i % 3));
    const LinePoints& wide = line.wide;
    const auto sum = fixed_sum_of_sizes(wide.f, wide.points, wide.r, wide.s, 60);
    if (!sum) continue;
    for (const LinePoints& end : line.ends) CHECK(contains(*sum, true_sum(end)));
  }
}

TEST_CASE("fixed sums of sizes: what is refused") {
  const PrecisionScope scope(200);
  const FixedPoints points{0.25, 0.5, -3};
  const ComplexBall f(Ball(2), Ball(1));
  CHECK(fixed_sum_of_sizes({f}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({ComplexBall(Ball(-2))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({ComplexBall(Ball(2), Ball(-1))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({ComplexBall()}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({ComplexBall(positive_infinity())}, points, Ball(3), Ball(0), 80));
  CHECK(!fixed_sum_of_sizes({widened(f, Ball(0.1))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({f}, points, Ball(1e12), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({f}, points, positive_infinity(), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({f}, {0.1, 0.5, -3}, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_sum_of_sizes({f}, points, Ball(3), Ball(0.5), 120));
}
