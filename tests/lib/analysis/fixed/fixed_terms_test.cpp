// Terms in fixed point against logarithms and exponentials of many bits.
#include "lib/analysis/fixed/fixed_terms.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/analysis/fixed/fixed_power_sums.hpp"
#include "lib/balls/precision.hpp"
#include "tests/support/containment.hpp"
#include "tests/support/line_points.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr long many = 700;

ComplexBall true_weight(const LinePoints& line, std::size_t j) {
  const PrecisionScope scope(many);
  return exp(ComplexBall(line.r) * log(line.f[j]) - ldexp(square(line.at(j)), -1));
}
ComplexBall true_base(const LinePoints& line, std::size_t j) {
  const PrecisionScope scope(many);
  return exp(ComplexBall(Ball(0), line.s) * log(line.f[j]));
}

}  // namespace

TEST_CASE("fixed terms: exact numbers, one at a time and many") {
  Random random(81);
  int made = 0;
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(300);
    const std::size_t size = i % 10 == 0 ? 30 : 1;
    const LinePoints s = random_line(random, size, 4);
    const long bits = i % 2 == 0 ? 60 : 110;
    const auto terms = fixed_terms(s.f, s.points, s.r, s.s, bits);
    if (!terms) continue;
    ++made;
    Ball sum;
    for (std::size_t j = 0; j < size; ++j) {
      const ComplexBall weight = true_weight(s, j);
      CHECK(holds(terms->weight(j), weight));
      CHECK(holds(terms->base(j), true_base(s, j)));
      sum += abs(weight.real()) + abs(weight.imaginary());
    }
    CHECK(certainly_less_equal(sum, ldexp(terms->size_of_weights, terms->exponent)));
    CHECK(terms->error_of_weights.estimate_log() <
          std::log(static_cast<double>(size)) + 3 - 0.693 * static_cast<double>(bits));
    CHECK(terms->error_of_bases.estimate_log() < 3 - 0.693 * static_cast<double>(bits));
  }
  CHECK(made > 2500);
}

TEST_CASE("fixed terms: the ends of balls") {
  Random random(82);
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(300);
    const WideLine line = widened_line(random, random_line(random, 1, 4), static_cast<Wide>(i % 3));
    const LinePoints& wide = line.wide;
    const auto terms = fixed_terms(wide.f, wide.points, wide.r, wide.s, 80);
    if (!terms) continue;
    for (const LinePoints& end : line.ends) {
      CHECK(holds(terms->weight(0), true_weight(end, 0)));
      CHECK(holds(terms->base(0), true_base(end, 0)));
    }
  }
}

TEST_CASE("fixed terms: their sums are those of balls") {
  Random random(83);
  int made = 0;
  for (int i = 0; i < 60; ++i) {
    const PrecisionScope scope(300);
    const LinePoints s = random_line(random, 40, 4);
    const auto terms = fixed_terms(s.f, s.points, s.r, s.s, 70);
    if (!terms) continue;
    std::optional<std::vector<ComplexBall>> sums;
    {
      const PrecisionScope shorter(70);
      sums = fixed_power_sums(*terms, 30);
    }
    if (!sums) continue;
    ++made;
    const PrecisionScope more(many);
    std::vector<ComplexBall> powers, bases;
    for (std::size_t j = 0; j < 40; ++j) {
      powers.push_back(true_weight(s, j));
      bases.push_back(true_base(s, j));
    }
    for (const ComplexBall& sum : *sums) {
      ComplexBall truth;
      for (std::size_t j = 0; j < 40; ++j) truth += powers[j];
      CHECK(holds(sum, truth));
      for (std::size_t j = 0; j < 40; ++j) powers[j] *= bases[j];
    }
  }
  CHECK(made > 50);
}

TEST_CASE("fixed terms: what is refused") {
  const PrecisionScope scope(200);
  const FixedPoints points{0.25, 0.5, -3};
  const ComplexBall f(Ball(2), Ball(1));
  CHECK(fixed_terms({f}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({ComplexBall(Ball(2), Ball(-1))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({ComplexBall(Ball(-2), Ball(1e-9))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({ComplexBall()}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({ComplexBall(positive_infinity())}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({widened(f, Ball(0.1))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({f}, points, Ball(3), Ball(0), 80));
  CHECK(!fixed_terms({f}, points, Ball(3), widened(Ball(1), Ball(2)), 80));
  CHECK(!fixed_terms({f}, points, Ball(1e12), Ball(0.5), 80));
  CHECK(!fixed_terms({f}, points, positive_infinity(), Ball(0.5), 80));
  CHECK(!fixed_terms({f}, {0.1, 0.5, -3}, Ball(3), Ball(0.5), 80));  // of many bits
  CHECK(!fixed_terms({f}, {0.25, 0.5, 1L << 45}, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({f}, points, Ball(3), Ball(0.5), 400));
}
