// Sums of sizes in fixed point against logarithms and exponentials of many bits.
#include "lib/analysis/fixed_sizes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Setting {
  std::vector<ComplexBall> f;
  FixedPoints points;
  Ball r;
  Ball s;
};

Setting random_setting(Random& random, std::size_t size) {
  const bool real = random.one_in(2);
  Setting result{
      {},
      {short_double(std::exp2(random.uniform(-6, 0))),
       real ? 0 : short_double(std::exp2(random.uniform(-6, 3))), random.integer(-200, 100)},
      Ball(random.uniform(-1, 1) * std::exp2(random.uniform(0, 10))),
      Ball(real ? 0 : std::exp2(random.uniform(-10, 6)))};
  for (std::size_t j = 0; j < size; ++j) {
    const double log_of_size = random.uniform(-10, 10) * (random.one_in(2) ? 1 : 1e-6);
    const double angle = real ? 0 : random.uniform(0, 3.1);
    result.f.emplace_back(Ball(std::exp(log_of_size) * std::cos(angle)),
                          Ball(std::exp(log_of_size) * std::sin(angle)));
  }
  return result;
}

Ball true_sum(const Setting& s) {
  const PrecisionScope scope(700);
  Ball sum;
  for (std::size_t j = 0; j < s.f.size(); ++j) {
    const ComplexBall z(Ball(s.points.d) * Ball(s.points.first + static_cast<long>(j)),
                        Ball(s.points.eta));
    sum += exp((ComplexBall(s.r, s.s) * log(s.f[j]) - ldexp(square(z), -1)).real());
  }
  return sum;
}

}  // namespace

TEST_CASE("fixed sums of sizes: exact numbers, one and many") {
  Random random(91);
  int made = 0;
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(300);
    const Setting s = random_setting(random, i % 10 == 0 ? 50 : 1);
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
    Setting s = random_setting(random, 1);
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
    const Setting s{{ComplexBall(Ball(size * std::cos(angle)), Ball(size * std::sin(angle)))},
                    {short_double(random.uniform(0.1, 0.5)), short_double(random.uniform(0.1, 2)),
                     random.integer(5000, 20000)},
                    Ball(-random.uniform(1, 4)),
                    Ball(random.uniform(1, 4))};
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
    Setting s = random_setting(random, 1);
    Setting wide = s;
    const auto radius = [&](const Ball& x) {
      return (abs(x) * Ball(std::exp2(random.uniform(-60, -40)))).lower();
    };
    const Ball of_f = i % 3 == 0 ? radius(abs(s.f[0])) : Ball(0);
    const Ball of_r = i % 3 == 1 ? radius(s.r) : Ball(0);
    const Ball of_s = i % 3 == 2 ? radius(s.s) : Ball(0);
    const bool real = s.points.eta == 0;
    wide.f[0] = real ? ComplexBall(widened(s.f[0].real(), of_f)) : widened(s.f[0], of_f);
    wide.r = widened(s.r, of_r);
    wide.s = widened(s.s, of_s);
    const auto sum = fixed_sum_of_sizes(wide.f, s.points, wide.r, wide.s, 60);
    if (!sum) continue;
    const Setting middle = s;
    for (const int side : {-1, 1}) {
      s.f[0] = ComplexBall(middle.f[0].real() + Ball(side) * of_f,
                           real ? Ball(0) : middle.f[0].imaginary() + Ball(side) * of_f);
      s.r = middle.r + Ball(side) * of_r;
      s.s = middle.s + Ball(side) * of_s;
      CHECK(contains(*sum, true_sum(s)));
    }
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
